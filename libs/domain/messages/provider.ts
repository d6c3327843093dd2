import { messageTable } from './message';

/** Errors on the Providers page, shown to administrators. */
export const PROVIDER_MESSAGES = messageTable('provider', {
  not_live: 'This provider is not live on this installation, so there is nothing to change.',
  project_changed:
    'The credentials now belong to another project, or to none. Reload the page and check the project before you confirm it.',
  credentials_incomplete: 'Fill in all fields of the credentials.',
  credentials_none: 'No credentials entered here are in use.',
});
