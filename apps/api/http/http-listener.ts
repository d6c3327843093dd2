import { createServer, type RequestListener, type Server } from 'node:http';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { listenRefused } from '@moorage/server';
import { answerTo } from './error-answer';
import { isApiPath } from './security-headers';

/**
 * HTTP server of a process. It listens before anything else is started, so that a port in use ends the start before
 * anything has been changed. Until the start is complete, requests get the response that the service is starting.
 */
export interface HttpListener {
  readonly server: Server;
  /** Resolves with the port. Rejects with a readable message when the address cannot be listened on. */
  listen(at: { host: string; port: number }): Promise<number>;
  /** Starts answering requests with this handler. */
  serve(handler: RequestListener): void;
  /** Stops accepting connections and waits for the requests in progress. */
  close(): Promise<void>;
}

/** Time limits for receiving headers and body. Responses have no limit. */
const HEADERS_MS_MAX = 15_000;
const REQUEST_MS_MAX = 30_000;
/**
 * Interval at which Node closes connections that exceed these limits, including those that send nothing. Node's default
 * is 30 s.
 */
const CHECK_INTERVAL_MS = 5_000;
/** Longer than the keep-alive of proxies, so that none sends a request into a connection that is being closed. */
const KEEP_ALIVE_MS = 72_000;
const STARTING_RETRY_S = 5;

export function createHttpListener(): HttpListener {
  let handler: RequestListener = answerStarting;
  let closing = false;
  const limits = {
    headersTimeout: HEADERS_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = createServer(limits, (request, response) => {
    // A connection kept alive for a next request must not keep a server from closing.
    response.once('close', () => {
      if (closing) server.closeIdleConnections();
    });
    handler(request, response);
  });
  return {
    server,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) =>
          reject(listenRefused(error, { host, port, setting: 'PORT' })),
        );
        server.listen(port, host, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    serve: (next) => void (handler = next),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

const answerStarting: RequestListener = (request, response) => {
  const isLive = request.method === 'GET' && /^\/api\/health\/live\/?(\?|$)/.test(request.url ?? '');
  const starting = answerTo(
    new DomainError('SERVICE_UNAVAILABLE', ACCESS_MESSAGES.busy, { retry_after_s: STARTING_RETRY_S }),
  );
  const { status, headers, body } = isLive ? { status: 200, headers: {}, body: { status: 'live' } } : starting;
  const isApi = isApiPath(request.url ?? '');
  response
    .writeHead(status, {
      ...headers,
      'content-type': isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(isApi ? JSON.stringify(body) : ACCESS_MESSAGES.busy.detail);
};
