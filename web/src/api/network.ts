/** A server, over HTTP and WebSockets. */

import { type Answer, type Hears, type Line, type Question, ServerError, type Transport } from "./transport";

/** The message of a problem the server never saw: it could not be reached. */
export const UNREACHABLE = "network";

export const unreachable = (): ServerError => new ServerError({ kind: "busy", message: UNREACHABLE });

/** A server whose API lies below an address. */
export class Network implements Transport {
  constructor(private readonly address: () => URL) {}

  async ask({ method, path, headers, body }: Question): Promise<Answer> {
    try {
      const response = await fetch(new URL(path, this.address()), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      throw unreachable();
    }
  }

  connect(path: string, hears: Hears): Line {
    const address = new URL(path, this.address());
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    socket.onopen = () => hears.opened();
    socket.onmessage = (event: MessageEvent<string>) => hears.heard(event.data);
    socket.onclose = () => hears.closed();
    return {
      say: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      hangUp: () => {
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
      },
    };
  }
}
