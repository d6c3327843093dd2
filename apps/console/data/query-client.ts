import { SECOND_MS } from '@moorage/domain';
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors';

const RETRIES_MAX = 2;

/** Longest time after which a request that was limited is sent again without the user. */
const RETRY_AFTER_S_MAX = 10;

const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status === 0 ||
  error.status >= 500 ||
  (error.status === 429 && (error.retryAfterS ?? Number.POSITIVE_INFINITY) <= RETRY_AFTER_S_MAX);

function retryDelay(count: number, error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfterS : null;
  return SECOND_MS * (seconds === null ? 2 ** count : Math.min(seconds, RETRY_AFTER_S_MAX));
}

/** Client that retries twice a request that failed or has to wait a few seconds, but none that the server refused. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < RETRIES_MAX && mayPass(error),
      retryDelay,
      refetchOnWindowFocus: true,
      staleTime: 0,
    },
    // Requests may contain passwords, so none stays in memory once nothing shows its state.
    mutations: { retry: false, gcTime: 0 },
  },
});
