import type { PackageConfigAnswer } from '@moorage/contracts';
import { checkConfig, checkPublicKeyLine, type Draft, type NameContext } from '@moorage/domain';
import type { Problems } from './wizard-context';

/** Returns messages for invalid input of the configuration step. Empty if everything is valid. */
export function problemsOf(draft: Draft, config: PackageConfigAnswer, names: NameContext): Problems {
  const key = draft.user_ssh_key ?? '';
  const keyProblem = draft.server_type !== 'new' || key === '' ? null : checkPublicKeyLine(key.trim());
  // Only the server knows which addresses are allowed. A missing one is detected here too.
  const addressGiven = (draft.komodo_host_ip ?? '') !== '';
  const typed = checkConfig(draft, config, { names }).filter(({ path }) => !addressGiven || path !== 'komodo_host_ip');
  return {
    ...Object.fromEntries(typed.toReversed().map(({ path, message }) => [path, message])),
    ...(keyProblem === null ? {} : { user_ssh_key: keyProblem }),
  };
}
