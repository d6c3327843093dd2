import { action } from '../action';

/** Requests of users to the staff. */
export const PACKAGE_REQUESTS = {
  /** Requests a package that is not in the catalogue. */
  requestPackage: action('POST /deployments/package-request'),
} as const;
