// The calls of a client, in a Worker.
import { clientCalls } from "./client_calls.ts";
import type { ClientTask } from "./client_calls.ts";

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await clientCalls((await request.json()) as ClientTask));
  },
};
