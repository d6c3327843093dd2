import type { ComponentType } from 'react';
import type { PublicPath } from '../data/addresses';

/** Loads the chunk of a screen. */
export type Load = () => Promise<{ default: ComponentType }>;

/** Public page, open without a login. */
export interface PublicScreen {
  readonly load: Load;
  /** Visitors only. Logged-in users are redirected. */
  readonly visitorsOnly?: true;
  /** Plain background, for long texts. */
  readonly plainGround?: true;
  /** Depends on the query, which the build does not know. Its HTML is a placeholder. */
  readonly readsQuery?: true;
}

/** Public screens by path. Every other path belongs to the logged-in side and requires a login. */
export const PUBLIC_SCREENS = {
  '/': { load: () => import('../pages/public/home') },
  '/pricing': { load: () => import('../pages/public/pricing'), plainGround: true },
  '/login': { load: () => import('../pages/public/login'), visitorsOnly: true },
  '/signup': { load: () => import('../pages/public/signup'), visitorsOnly: true },
  '/forgot-password': { load: () => import('../pages/public/forgot-password') },
  '/reset-password': { load: () => import('../pages/public/reset-password'), readsQuery: true },
  '/verify-email': { load: () => import('../pages/public/verify-email'), readsQuery: true },
  '/conversation': { load: () => import('../pages/public/conversation'), plainGround: true, readsQuery: true },
  '/unsubscribe': { load: () => import('../pages/public/unsubscribe'), readsQuery: true },
  '/account-deactivated': { load: () => import('../pages/public/account-deactivated') },
  '/success': { load: () => import('../pages/public/success'), readsQuery: true },
  '/cancel': { load: () => import('../pages/public/cancel'), readsQuery: true },
} as const satisfies Readonly<Record<PublicPath, PublicScreen>>;
