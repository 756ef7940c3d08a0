/** Whether wording that tests compare is written anew: `MAZANEH_UPDATE=1`. */
export const UPDATE = process.env["MAZANEH_UPDATE"] === "1";
