import type { AdminUserAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';
import { useCanImpersonate } from './can-impersonate';
import { ImpersonateDialog } from './impersonate-dialog';
import { UserMenu } from './user-menu';

/** Actions of an account's page. */
export function UserActions({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const [dialog, setDialog] = useState(false);
  const name = encodeURIComponent(user.username);
  const canBeImpersonated = useCanImpersonate(user);
  return (
    <>
      <ButtonLink to={`/dashboard?user=${name}`}>{t('users.view_deployments')}</ButtonLink>
      <ButtonLink to={`/billing?user=${name}`}>{t('users.show_billing')}</ButtonLink>
      {canBeImpersonated ? (
        <Button aria-haspopup="dialog" onClick={() => setDialog(true)}>
          {t('person.view.open')}
        </Button>
      ) : null}
      <UserMenu user={user} />
      {dialog ? <ImpersonateDialog user={user} onClose={() => setDialog(false)} /> : null}
    </>
  );
}
