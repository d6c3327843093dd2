import { CloudError, type CloudErrorKind } from './cloud';
import type { Right, RightCheck } from './rights';

/**
 * Errors that a provider returns only to callers who have the right, because something about the request itself is
 * wrong.
 */
const PAST_THE_RIGHT: readonly CloudErrorKind[] = ['not_found', 'invalid', 'conflict', 'quota', 'capacity'];
const MISSING: readonly CloudErrorKind[] = ['permission', 'account'];

/** Proves each right in turn. Throws CloudError `auth` if the credentials themselves are refused. */
export async function proveRights(
  rights: readonly Right[],
  past: readonly CloudErrorKind[] = PAST_THE_RIGHT,
): Promise<RightCheck[]> {
  const checks: RightCheck[] = [];
  for (const right of rights) checks.push(await proved(right, past));
  return checks;
}

async function proved({ name, prove }: Right, past: readonly CloudErrorKind[]): Promise<RightCheck> {
  try {
    await prove();
  } catch (error) {
    if (!(error instanceof CloudError) || error.kind === 'auth') throw error;
    const { kind, message: words } = error;
    if (MISSING.includes(kind)) return { name, state: 'missing', words };
    if (!past.includes(kind)) return { name, state: 'unknown', words };
  }
  return { name, state: 'allowed', words: null };
}
