import { StepError } from '../runs/step';
import type { Answer, Facts, HostScriptName } from '../ssh/host-scripts';

/** What a script's "no" means for the customer, and whether trying again can help. */
const CODES: Readonly<Record<string, { words: string; lasting: boolean }>> = {
  OVERTAKEN: { words: 'Something newer is at work on this server.', lasting: false },
  BUSY: { words: 'The server is still busy with the step before.', lasting: false },
  TIMED_OUT: { words: 'The server took too long.', lasting: false },
  NO_ANSWER: { words: 'The server gave no answer.', lasting: false },
  EXIT_UNKNOWN: { words: 'The connection to the server ended before the answer.', lasting: false },
  DOCKER_DOWN: { words: 'Docker does not answer on the server.', lasting: false },
  DOCKER_FAILED: { words: 'Docker could not be installed on the server.', lasting: false },
  NO_STACK: { words: 'The files of the software are missing on the server.', lasting: false },
  PULL_FAILED: { words: 'An image of the software could not be downloaded to the server.', lasting: false },
  NOT_HEALTHY: { words: 'The software was started but did not become healthy.', lasting: false },
  ADMIN_FAILED: { words: 'The first administrator could not be created in the software.', lasting: false },
  DISK_FULL: { words: 'The disk of the server is full.', lasting: true },
  PORT_TAKEN: { words: 'Another program on the server uses port 80 or 443. Stop it and try again.', lasting: true },
  HOST_KEY_FAILED: { words: 'The identity of the server could not be renewed.', lasting: false },
  LEFT_BEHIND: { words: 'Something could not be removed from the server yet.', lasting: false },
};

/** The facts of an answer that says yes; a "no" is thrown as a step's error. */
export function factsOf<Name extends HostScriptName>(answer: Answer<Name>): Facts[Name] {
  if (answer.ok && answer.facts !== null) return answer.facts;
  const known = CODES[answer.code] ?? { words: 'The server could not do what was asked.', lasting: false };
  throw new StepError(known.words, { lasting: known.lasting, cause: new Error(`script said ${answer.code}`) });
}
