import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Asked, Listening, Sent } from './protocol';

/** A server in a process of its own, and connections to it. */
export interface Server {
  readonly port: number;
  /**
   * Sends a request and returns the text of the answer.
   *
   * @throws Error when the status is not 2xx.
   */
  request(request: HttpRequest): Promise<string>;
  ask(message: Asked): Promise<unknown>;
  close(): Promise<void>;
}

/** Maximum number of connections, and of simultaneous requests. */
export const CONNECTIONS = 16;

/** Starts a bundled program that reports its port. `options` are those of Node.js. */
export async function startServer(
  program: string,
  args: readonly string[],
  options: readonly string[] = [],
): Promise<Server> {
  const child = fork(`dist/bench/${program}.js`, [...args], { execArgv: ['--enable-source-maps', ...options] });
  const { port } = (await messageOf(child)) as Listening;
  const { request, close } = connections(port);
  return {
    port,
    request,
    async ask(message) {
      const answer = messageOf(child);
      child.send(message);
      return answer;
    },
    async close() {
      close();
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Returns connections to a port of loopback, which are kept open. */
export function connections(port: number): Pick<Server, 'request'> & { close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    request: ({ path, method = 'GET', headers, body }) =>
      new Promise((resolve, reject) => {
        const request = sendRequest({ agent, host: '127.0.0.1', port, path, method, headers }, (answer) => {
          text(answer).then((received) => {
            const { statusCode = 0 } = answer;
            if (statusCode >= 200 && statusCode < 300) resolve(received);
            else reject(new Error(`${path}: ${statusCode} ${received}`));
          }, reject);
        });
        request.on('error', reject).end(body);
      }),
    close: () => agent.destroy(),
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]: unknown[]) => {
    throw new Error(`a server ended with ${String(code)}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), exit])) as unknown[];
    return message;
  } finally {
    exit.catch(() => undefined);
    ended.abort();
  }
}

export interface HttpRequest {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a number of requests, as many at the same time as there are connections.
 *
 * @returns Requests per second.
 * @throws Error when a status is not 2xx.
 */
export async function load(
  server: Pick<Server, 'request'>,
  { requests, request }: { requests: number; request: (index: number) => HttpRequest },
): Promise<number> {
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < requests) await server.request(request(next++));
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return requests / ((performance.now() - began) / 1_000);
}

/** Returns the statements that our api sends for a request, without those of transactions and rate limits. */
export async function statementsOf(recorder: Server, request: HttpRequest): Promise<readonly Sent[]> {
  const once = { requests: 1, request: () => request };
  // The first request also writes when the session was used.
  await load(recorder, once);
  await recorder.ask({ ask: 'statements' });
  await load(recorder, once);
  const sent = (await recorder.ask({ ask: 'statements' })) as readonly Sent[];
  return sent.filter(({ text }) => !/^(start transaction|commit)$|\brate_limits\b/.test(text));
}
