/** All values of a field, in the order received. `name` is in lower case. */
export function headerValues(headers: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const field = headers[i]!;
    if (field.length === name.length && field.toLowerCase() === name) values.push(headers[i + 1]!);
  }
  return values;
}

/** The elements of a field whose value is a comma-separated list, however it was split over lines. */
export function headerList(headers: readonly string[], name: string): string[] {
  return headerValues(headers, name)
    .flatMap((value) => value.split(","))
    .map((element) => element.trim())
    .filter((element) => element !== "");
}
