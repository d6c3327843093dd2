import { STEP_WORDS } from '@moorage/domain';
import { StepError } from '../runs/step';
import type { Answer, Facts, HostScriptName } from '../ssh/host-scripts';

/** What a script's "no" means for the customer, and whether trying again can help; `waits`: nothing is wrong yet. */
const CODES: Readonly<Record<string, { words: string; lasting: boolean; waits?: true }>> = {
  OVERTAKEN: { words: STEP_WORDS.script_overtaken, lasting: false, waits: true },
  BUSY: { words: STEP_WORDS.script_busy, lasting: false, waits: true },
  TIMED_OUT: { words: STEP_WORDS.ssh_aborted, lasting: false },
  NO_ANSWER: { words: STEP_WORDS.script_silent, lasting: false },
  EXIT_UNKNOWN: { words: STEP_WORDS.script_cut_off, lasting: false },
  DOCKER_DOWN: { words: STEP_WORDS.script_docker_down, lasting: false },
  DOCKER_FAILED: { words: STEP_WORDS.script_docker_failed, lasting: false },
  PACKAGES_FAILED: { words: STEP_WORDS.script_packages_failed, lasting: false },
  ACCESS_FAILED: { words: STEP_WORDS.script_access_failed, lasting: false },
  NO_STACK: { words: STEP_WORDS.script_no_stack, lasting: false },
  PULL_FAILED: { words: STEP_WORDS.script_pull_failed, lasting: false },
  NOT_HEALTHY: { words: STEP_WORDS.script_not_healthy, lasting: false },
  ADMIN_FAILED: { words: STEP_WORDS.script_admin_failed, lasting: false },
  DISK_FULL: { words: STEP_WORDS.script_disk_full, lasting: true },
  PORT_TAKEN: { words: STEP_WORDS.script_port_taken, lasting: true },
  HOST_KEY_FAILED: { words: STEP_WORDS.script_host_key_failed, lasting: false },
  LEFT_BEHIND: { words: STEP_WORDS.script_left_behind, lasting: false },
};

/** The facts of an answer that says yes; a "no" is thrown as a step's error. */
export function factsOf<Name extends HostScriptName>(answer: Answer<Name>): Facts[Name] {
  if (answer.ok && answer.facts !== null) return answer.facts;
  const known = CODES[answer.code] ?? { words: STEP_WORDS.script_failed, lasting: false };
  const { words, lasting, waits = false } = known;
  throw new StepError(words, { lasting, waits, cause: new Error(`script said ${answer.code}`) });
}
