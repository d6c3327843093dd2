import { lazy, Suspense, useEffect, useState } from 'react';
import { useDataProvider } from 'react-admin';
import type { ConsoleDataProvider } from '../data/data-provider';
import { setIdentityPrompt } from '../data/recent-authentication';
import { useSession } from '../data/session';

const IdentityDialog = lazy(() => import('./identity-dialog'));

interface Prompted {
  /** Password already entered in a form, which is not prompted for again. */
  readonly password: string | null;
  readonly resolve: (confirmed: boolean) => void;
}

/**
 * Prompts for the password, and for a code if two-factor authentication is on, when a call requires recent
 * authentication.
 */
export function ConfirmIdentity() {
  const [prompted, setPrompted] = useState<Prompted | null>(null);
  const needsCode = useSession()?.user?.has_two_factor === true;
  const dataProvider = useDataProvider<ConsoleDataProvider>();
  useEffect(
    () =>
      setIdentityPrompt(async (password) => {
        if (password !== null && !needsCode) {
          // Not a mutation, which would keep the password as long as the console is open.
          await dataProvider.act('account', 'confirmIdentity', { body: { password } });
          return true;
        }
        return new Promise<boolean>((resolve) => setPrompted({ password, resolve }));
      }),
    [needsCode, dataProvider],
  );
  if (prompted === null) return null;
  const close = (confirmed: boolean): void => {
    setPrompted(null);
    prompted.resolve(confirmed);
  };
  return (
    <Suspense>
      <IdentityDialog password={prompted.password} needsCode={needsCode} onClose={close} />
    </Suspense>
  );
}
