import { useRead } from '../../data/use-read';

/*
 * Records of one account for administrators. Several cards show the same record, and the page waits for all of them
 * before it places the cards.
 */

const DEPLOYMENTS = 10;
const DAYS = 5;

export const useUserDeployments = (id: number) =>
  useRead('users', 'GET /users/{id}/deployments', { params: { id }, query: { per_page: DEPLOYMENTS } });

export const useUserRunway = (id: number) => useRead('users', 'GET /users/{id}/runway', { params: { id } });

export const useUserCredits = (id: number) => useRead('users', 'GET /users/{id}/credits', { params: { id } });

export const useUserTopUp = (id: number) =>
  useRead('users', 'GET /billing/admin/users/{id}/automatic-top-up', { params: { id } });

/** Loads the most recent days. */
export const useUserTransactions = ({ username }: { username: string }) =>
  useRead('users', 'GET /billing/admin/transactions', { query: { user: username, page: 1, days_per_page: DAYS } });

export const useUserSessions = (id: number) => useRead('users', 'GET /users/{id}/sessions', { params: { id } });

export const useUserEmails = (id: number) => useRead('users', 'GET /users/{id}/mails', { params: { id } });

export const useUserSupport = (id: number) => useRead('users', 'GET /users/{id}/support-messages', { params: { id } });

export const useUserHistory = (id: number) => useRead('users', 'GET /users/{id}/history', { params: { id } });
