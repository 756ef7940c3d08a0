/** Makes the function that names the market day of a time: `YYYY-MM-DD`. */
export function marketDayOf(timeZone: string): (time: number) => string {
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }); // Swedish dates are written so
  return (time) => days.format(time);
}
