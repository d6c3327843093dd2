import { messageTable } from './message';

/** Messages about changes of running deployments: refusals and results. */
export const CHANGE_MESSAGES = messageTable('change', {
  not_configured: 'The configuration of a deployment with the status "%{status}" can\'t be changed.',
  fixed_value: 'This value can only be set when the deployment is created.',
  not_applied: 'The new configuration was not applied.',
  taken_back: 'The new configuration was not applied. The previous values are in use again.',
  not_taken_back:
    'The new configuration was not applied, and the previous values could not be restored on the server. Apply the configuration again.',
  gone: 'The deployment was removed before the change was completed.',
});
