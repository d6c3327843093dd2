import { useQueryClient } from '@tanstack/react-query';

/** Returns the rule of retries for react-admin's lists. They do not retry by default, unlike all other queries. */
export const useRetry = () => useQueryClient().getDefaultOptions().queries?.retry;
