import { USERS_MESSAGES } from '@moorage/domain';
import { EyeOff } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { NOTIFICATIONS } from '../../data/actions/account';
import { useImpersonation } from '../../data/session';
import { useRead } from '../../data/use-read';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { DangerCard } from './danger-card';
import { DataCard } from './data-card';
import { EmailPreferencesCard } from './email-preferences-card';
import { ProfileCard } from './profile-card';
import { SessionsCard } from './sessions-card';
import { TokensCard } from './tokens-card';
import { TwoFactorCard } from './two-factor-card';
import './account-page.css';

/** Sections by card ID, which is also the anchor. */
const SECTIONS = [
  ['profile', 'profile'],
  ['two-factor', 'two_factor'],
  ['sessions', 'sessions'],
  ['tokens', 'tokens'],
  ['mails', 'mails'],
  ['data', 'data'],
  ['danger', 'danger'],
] as const;

/** Account settings. During impersonation only the profile is shown, read-only. */
export default function AccountPage() {
  const t = useText();
  useTitle(t('account.title'));
  return useImpersonation() === null ? <OwnAccount /> : <ImpersonatedAccount />;
}

function ImpersonatedAccount() {
  const t = useText();
  return (
    <main className="main account-page" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{t('account.title')}</h1>
      </div>
      <div className="stack">
        <ProfileCard />
        <p className="note flat">
          <EyeOff size={16} aria-hidden="true" />
          <MessageText message={USERS_MESSAGES.view_private} />
        </p>
      </div>
    </main>
  );
}

function OwnAccount() {
  const t = useText();
  const isPlaced = useLayoutReady([
    useRead('account', 'GET /users/self/two-factor', {}),
    useRead('account', 'GET /users/self/sessions', {}),
    useRead('account', 'GET /users/self/sign-ins', {}),
    useRead('account', 'GET /users/self/api-tokens', {}),
    useRead('account', NOTIFICATIONS, {}),
    useRead('account', 'GET /users/self/exports', {}),
  ]);
  useRequestedPart(isPlaced);
  return (
    <main className="main account-page" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{t('account.title')}</h1>
      </div>
      <VerifyBanner />
      <div className="account-cols">
        <nav aria-label={t('account.sections')}>
          {SECTIONS.map(([id, area]) => (
            <Link key={id} to={`#${id}`}>
              {t(`account.${area}.title`)}
            </Link>
          ))}
        </nav>
        <div className="stack">
          <ProfileCard />
          <div className={isPlaced ? 'stack' : 'stack unplaced'}>
            <TwoFactorCard />
            <SessionsCard />
            <TokensCard />
            <EmailPreferencesCard />
            <DataCard />
            <DangerCard />
          </div>
        </div>
      </div>
    </main>
  );
}

/** Scrolls to the card in the hash, such as `/account#data`, once the content above has its height. */
function useRequestedPart(isPlaced: boolean): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === '' || !isPlaced) return;
    const card = document.getElementById(hash.slice(1));
    card?.focus({ preventScroll: true });
    card?.scrollIntoView?.();
  }, [hash, key, isPlaced]);
}
