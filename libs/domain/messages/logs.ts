import { messageTable } from './message';

/** Reasons why logs can't be shown or a container can't be restarted. */
export const LOG_MESSAGES = messageTable('logs', {
  over: "This deployment isn't running, so it writes no logs.",
  waiting: 'We are following as many logs as we can at the moment. These follow as soon as there is room.',
  unreadable: "The logs couldn't be read from the server.",
  not_restarted: 'A container of a deployment with the status "%{status}" can\'t be restarted.',
  busy: 'The deployment is being changed. Restart the container when that is done.',
  switched_off: "The server is switched off, so its containers aren't running. Start the server instead.",
  container_unknown: 'The deployment has no container with this name that can be restarted.',
  restart_failed: "The container couldn't be restarted. Read its logs, or restart the deployment.",
  restart_late: "The container wasn't restarted because the server was busy for too long. Try again.",
});
