/**
 * Three lines of shell that push the output of a program, one JSON object per line, to the server at this address. Lines that
 * come during a request are sent together with the next one. A failed request is sent again until it succeeds; meanwhile the
 * program waits. `bash -c` makes them work in any shell: `read -t 0` takes no line in bash only.
 */
export function pushLines(baseUrl: string): string {
  const curl = `curl -fsS -m 60 -H "X-API-Key: $KEY" -H "Content-Type: application/x-ndjson" --data-binary @- -w "\\n" ${baseUrl}/ingest`;
  return `collector | KEY=mz_live_… bash -c '
  push() { until printf "%s\\n" "\${lines[@]}" | ${curl}; do sleep 5; done; lines=(); }
  while IFS= read -r line; do lines+=("$line"); ((\${#lines[@]} < 1000)) && read -t 0 || push; done; push'`;
}
