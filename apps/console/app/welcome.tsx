import { lazy, Suspense, useState } from 'react';
import { useGetList } from 'react-admin';
import { isImpersonating, useSession } from '../data/session';

const WelcomeDialog = lazy(() => import('./welcome-dialog'));

/** Accounts up to this ID are assumed to have set up the installation. */
const FIRST_ID_MAX = 2;

/** Lists the abilities of an administrator, once, for the user who sets up the installation. */
export function Welcome() {
  const me = useSession()?.user;
  return me?.is_admin === true && !isImpersonating() ? <WelcomeOnce key={me.id} id={me.id} /> : null;
}

function WelcomeOnce({ id }: { id: number }) {
  const [isDone, setDone] = useState(() => wasWelcomed(id));
  const isFirst = id <= FIRST_ID_MAX;
  const isAlone = useIsAlone({ enabled: !isDone && !isFirst });
  if (isDone || !(isFirst || isAlone)) return null;
  const dismiss = (): void => {
    storeWelcomed(id);
    setDone(true);
  };
  return (
    <Suspense>
      <WelcomeDialog onDismiss={dismiss} />
    </Suspense>
  );
}

/** Returns whether this is the only administrator. Unknown counts as no. */
function useIsAlone({ enabled }: { enabled: boolean }): boolean {
  const { total } = useGetList(
    'users',
    { pagination: { page: 1, perPage: 10 }, filter: { is_admin: true } },
    { enabled, retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  return total === 1;
}

/** Storage key per account, because another administrator in this browser is also welcomed. */
const keyOf = (id: number): string => `welcomed:${id}`;

function wasWelcomed(id: number): boolean {
  try {
    return localStorage.getItem(keyOf(id)) !== null;
  } catch {
    return false;
  }
}

function storeWelcomed(id: number): void {
  try {
    localStorage.setItem(keyOf(id), 'yes');
  } catch {
    // If storage is disabled, it stays dismissed as long as the page.
  }
}
