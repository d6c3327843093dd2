import type { User } from '@moorage/contracts';
import { type ReactNode, useState } from 'react';
import { useOwnUser } from '../../data/own-user';
import { LockedButton } from '../../parts/locked-button';
import { useViewLock } from '../../parts/view-lock';
import { useText } from '../../texts/console-i18n';
import { CopyButton } from '../../ui/copy-button';
import { fullDay } from '../../ui/dates';
import { SectionCard, Loaded } from '../../ui/card';
import { useReturnFocus } from '../../ui/use-return-focus';
import { EmailForm } from './email-form';
import { EmailState } from './email-state';
import { PasswordForm } from './password-form';
import { UsernameForm } from './username-form';

/** Profile with forms to change it, one at a time, each below its row. */
export function ProfileCard() {
  const t = useText();
  return (
    <SectionCard id="profile" title={t('account.profile.title')}>
      <Loaded query={useOwnUser()} failed={t('account.profile.failed')}>
        {(user) => <Facts user={user} />}
      </Loaded>
    </SectionCard>
  );
}

const CHANGES = ['username', 'email', 'password'] as const;
type Change = (typeof CHANGES)[number];

const FORMS = { username: UsernameForm, email: EmailForm, password: PasswordForm };

function Facts({ user }: { user: User }) {
  const t = useText();
  const [open, setOpen] = useState<Change | null>(null);
  const values: Readonly<Record<Change, ReactNode>> = {
    username: user.username,
    email: <EmailState user={user} />,
    password: '••••••••',
  };
  return (
    <dl className="kv pad">
      {CHANGES.map((change) => {
        const Form = FORMS[change];
        return (
          <ChangeRow
            key={change}
            label={t(`account.profile.${change}`)}
            value={values[change]}
            isVerified={user.is_verified}
            isOpen={open === change}
            onToggle={() => setOpen(open === change ? null : change)}
            form={<Form onDone={() => setOpen(null)} />}
          />
        );
      })}
      <div>
        <dt>{t('account.profile.id')}</dt>
        <dd>
          {user.id} <CopyButton value={String(user.id)} what={t('account.profile.id')} />
        </dd>
      </div>
      <div>
        <dt>{t('account.profile.role')}</dt>
        <dd>{user.is_admin ? t('account.profile.administrator') : t('account.profile.user')}</dd>
      </div>
      <div>
        <dt>{t('account.profile.since')}</dt>
        <dd>{fullDay(user.created_at)}</dd>
      </div>
    </dl>
  );
}

function ChangeRow({
  label,
  value,
  isVerified,
  isOpen,
  onToggle,
  form,
}: {
  label: string;
  value: ReactNode;
  isVerified: boolean;
  isOpen: boolean;
  onToggle: () => void;
  form: ReactNode;
}) {
  const t = useText();
  const opener = useReturnFocus(isOpen);
  const lock = useViewLock();
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <div className="row start">
          <div className="grow">{value}</div>
          <LockedButton
            ref={opener}
            size="small"
            aria-label={t('account.change_what', { what: label })}
            aria-expanded={isOpen}
            reason={lock ?? (isVerified ? null : t('account.unverified'))}
            onClick={onToggle}
          >
            {t('account.change')}
          </LockedButton>
        </div>
        {isOpen ? form : null}
      </dd>
    </div>
  );
}
