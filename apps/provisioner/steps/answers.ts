import { STEP_WORDS } from '@moorage/domain';
import { StepError } from '../runs/step';
import type { Answer, Facts, HostScriptName } from '../ssh/host-scripts';

/** What a script's "no" means for the customer, and whether trying again can help; `waits`: nothing is wrong yet. */
const CODES: Readonly<Record<string, { words: string; permanent: boolean; waits?: true }>> = {
  OVERTAKEN: { words: STEP_WORDS.script_overtaken, permanent: false, waits: true },
  BUSY: { words: STEP_WORDS.script_busy, permanent: false, waits: true },
  TIMED_OUT: { words: STEP_WORDS.ssh_aborted, permanent: false },
  NO_ANSWER: { words: STEP_WORDS.script_silent, permanent: false },
  EXIT_UNKNOWN: { words: STEP_WORDS.script_cut_off, permanent: false },
  DOCKER_DOWN: { words: STEP_WORDS.script_docker_down, permanent: false },
  DOCKER_FAILED: { words: STEP_WORDS.script_docker_failed, permanent: false },
  PACKAGES_FAILED: { words: STEP_WORDS.script_packages_failed, permanent: false },
  ACCESS_FAILED: { words: STEP_WORDS.script_access_failed, permanent: false },
  NO_STACK: { words: STEP_WORDS.script_no_stack, permanent: false },
  PULL_FAILED: { words: STEP_WORDS.script_pull_failed, permanent: false },
  NOT_HEALTHY: { words: STEP_WORDS.script_not_healthy, permanent: false },
  FIRST_STEP_FAILED: { words: STEP_WORDS.script_first_step_failed, permanent: false },
  DISK_FULL: { words: STEP_WORDS.script_disk_full, permanent: true },
  PORT_TAKEN: { words: STEP_WORDS.script_port_taken, permanent: true },
  HOST_KEY_FAILED: { words: STEP_WORDS.script_host_key_failed, permanent: false },
  LEFT_BEHIND: { words: STEP_WORDS.script_left_behind, permanent: false },
};

/** The facts of an answer that says yes; a "no" is thrown as a step's error. */
export function factsOf<Name extends HostScriptName>(answer: Answer<Name>): Facts[Name] {
  if (answer.ok && answer.facts !== null) return answer.facts;
  const known = CODES[answer.code] ?? { words: STEP_WORDS.script_failed, permanent: false };
  const { words, permanent, waits = false } = known;
  throw new StepError(words, { permanent, waits, cause: new Error(`script said ${answer.code}`) });
}
