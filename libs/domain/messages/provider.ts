import { messageTable } from './message';

/** Refusals around cloud providers. Administrators read them. */
export const PROVIDER_MESSAGES = messageTable('provider', {
  not_live: 'This provider is not live on this installation, so there is nothing to change.',
  project_changed:
    'The credentials lead to another project by now, or to none. Load the page again and check the project before you confirm it.',
  credentials_incomplete: 'Fill in every field of the credentials.',
  credentials_none: 'No credentials entered here are in use.',
});
