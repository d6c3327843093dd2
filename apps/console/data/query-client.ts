import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors';

const RETRIES_MAX = 2;

/** Client that never retries a request the server refused. Retries others twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) =>
        count < RETRIES_MAX && !(error instanceof ApiError && error.status > 0 && error.status < 500),
      refetchOnWindowFocus: true,
      staleTime: 0,
    },
    // Requests may contain passwords, so none stays in memory once nothing shows its state.
    mutations: { retry: false, gcTime: 0 },
  },
});
