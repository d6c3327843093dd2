import type { AdminUserAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';
import { ImpersonateDialog } from './impersonate-dialog';
import { UserMenu } from './user-menu';

/** Actions of an account's page. */
export function UserActions({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const me = useSession()?.user;
  const [dialog, setDialog] = useState(false);
  const name = encodeURIComponent(user.username);
  const canBeImpersonated = !user.is_admin && user.deactivated_at === null && user.id !== me?.id;
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
