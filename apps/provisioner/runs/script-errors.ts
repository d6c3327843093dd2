import { LOG_MESSAGES, type Message, STEP_MESSAGES } from '@moorage/domain';
import { StepError } from './step';
import type { Answer, Facts, HostScriptName, StackState } from '../ssh/host-scripts';

/**
 * Meaning of a script's error code for the customer, and whether a retry can help. `waits` means that nothing has
 * failed yet.
 */
const CODES: Readonly<Record<string, { message: Message; permanent: boolean; waits?: true }>> = {
  OVERTAKEN: { message: STEP_MESSAGES.script_overtaken, permanent: false, waits: true },
  BUSY: { message: STEP_MESSAGES.script_busy, permanent: false, waits: true },
  COPY_RUNS: { message: STEP_MESSAGES.script_busy, permanent: false, waits: true },
  TIMED_OUT: { message: STEP_MESSAGES.ssh_aborted, permanent: false },
  NO_ANSWER: { message: STEP_MESSAGES.script_silent, permanent: false },
  EXIT_UNKNOWN: { message: STEP_MESSAGES.script_cut_off, permanent: false },
  DOCKER_DOWN: { message: STEP_MESSAGES.script_docker_down, permanent: false },
  DOCKER_FAILED: { message: STEP_MESSAGES.script_docker_failed, permanent: false },
  PACKAGES_FAILED: { message: STEP_MESSAGES.script_packages_failed, permanent: false },
  ACCESS_FAILED: { message: STEP_MESSAGES.script_access_failed, permanent: false },
  NO_STACK: { message: STEP_MESSAGES.script_no_stack, permanent: false },
  DUMP_FAILED: { message: STEP_MESSAGES.script_dump_failed, permanent: false },
  SWAP_FAILED: { message: STEP_MESSAGES.script_swap_failed, permanent: false },
  PULL_FAILED: { message: STEP_MESSAGES.script_pull_failed, permanent: false },
  NOT_HEALTHY: { message: STEP_MESSAGES.script_not_healthy, permanent: false },
  FIRST_STEP_FAILED: { message: STEP_MESSAGES.script_first_step_failed, permanent: false },
  FIRST_STEP_REFUSED: { message: STEP_MESSAGES.script_first_step_refused, permanent: true },
  PREPARE_FAILED: { message: STEP_MESSAGES.script_prepare_failed, permanent: false },
  ROUTER_STEP_FAILED: { message: STEP_MESSAGES.script_router_step_failed, permanent: false },
  FOLDER_TAKEN: { message: STEP_MESSAGES.script_folder_taken, permanent: true },
  DISK_FULL: { message: STEP_MESSAGES.script_disk_full, permanent: true },
  PORT_TAKEN: { message: STEP_MESSAGES.script_port_taken, permanent: true },
  HOST_KEY_FAILED: { message: STEP_MESSAGES.script_host_key_failed, permanent: false },
  NO_CONTAINER: { message: LOG_MESSAGES.container_unknown, permanent: true },
  NOT_RESTARTED: { message: LOG_MESSAGES.restart_failed, permanent: false },
  PACKAGES_BUSY: { message: STEP_MESSAGES.packages_busy, permanent: false, waits: true },
  REBOOT_FAILED: { message: STEP_MESSAGES.script_reboot_failed, permanent: false },
  NOT_STOPPED: { message: STEP_MESSAGES.script_not_stopped, permanent: false },
  LEFT_BEHIND: { message: STEP_MESSAGES.script_left_behind, permanent: false },
};

/** Returns the facts of a successful response. Throws a StepError otherwise. */
export function factsOf<Name extends HostScriptName>(answer: Answer<Name>): Facts[Name] {
  if (answer.ok && answer.facts !== null) return answer.facts;
  const known = CODES[answer.code] ?? { message: STEP_MESSAGES.script_failed, permanent: false };
  const { message, permanent, waits = false } = known;
  throw new StepError(inParticular(answer) ?? message, {
    permanent,
    waits,
    cause: new Error(`script returned ${answer.code}`),
  });
}

/** Returns a message that names the affected part, if the server reported it. */
function inParticular({ code, facts }: Pick<Answer<HostScriptName>, 'code' | 'facts'>): Message | null {
  if (facts === null || !('services' in facts)) return null;
  if (code === 'FIRST_STEP_FAILED' && facts.step !== undefined)
    return STEP_MESSAGES.script_first_step_failed_at({ step: facts.step });
  const parts = partsNotReady({ services: facts.services });
  return code === 'NOT_HEALTHY' && parts.length > 0
    ? STEP_MESSAGES.script_parts_not_healthy({ parts: parts.join(', ') })
    : null;
}

const PARTS_NAMED = 6;

/** Returns the names of a few services that are not running or not healthy, and of failed checks. */
export function partsNotReady({
  services,
  checks = [],
}: Pick<StackState, 'services'> & Partial<Pick<Facts['check-health'], 'checks'>>): string[] {
  const bad = services.filter(({ state, health }) => state !== 'running' || !['healthy', 'none'].includes(health));
  const failed = checks.filter(({ ok }) => !ok);
  return [...new Set([...bad, ...failed].map(({ name }) => name))].slice(0, PARTS_NAMED);
}
