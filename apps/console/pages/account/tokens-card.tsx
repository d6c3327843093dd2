import type { ApiTokenAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { useOwnUser } from '../../data/own-user';
import { useRead } from '../../data/use-read';
import { LockedButton } from '../../parts/locked-button';
import { useText } from '../../texts/console-i18n';
import { SectionCard, Loaded } from '../../ui/card';
import { useReturnFocus } from '../../ui/use-return-focus';
import { CurlExample } from './curl-example';
import { type CreatedToken, NewToken } from './new-token';
import { RevokeToken } from './revoke-token';
import { TokenForm } from './token-form';
import { TokenTable } from './token-table';

const PLACEHOLDER = '$MOORAGE_TOKEN';

/** Tokens for programs that call the API. */
export function TokensCard() {
  const t = useText();
  const tokens = useRead('account', 'GET /users/self/api-tokens', {});
  const isVerified = useOwnUser().data?.is_verified !== false;
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [revoked, setRevoked] = useState<ApiTokenAnswer | null>(null);
  const opener = useReturnFocus(isOpen || created !== null);
  const show = (token: CreatedToken): void => {
    setOpen(false);
    setCreated(token);
  };
  return (
    <SectionCard
      id="tokens"
      title={t('account.tokens.title')}
      aside={
        <LockedButton
          ref={opener}
          size="small"
          aria-expanded={isOpen}
          reason={isVerified ? null : t('account.unverified')}
          onClick={() => setOpen(!isOpen)}
        >
          {t('account.tokens.create')}
        </LockedButton>
      }
    >
      <div className="pad account-form">
        {isOpen ? <TokenForm onCreated={show} onCancel={() => setOpen(false)} /> : null}
        {created === null ? (
          <>
            <p className="soft">{t('account.tokens.lead')}</p>
            <CurlExample token={PLACEHOLDER} />
          </>
        ) : (
          <NewToken token={created} onDone={() => setCreated(null)} />
        )}
      </div>
      <Loaded query={tokens} failed={t('account.tokens.failed')}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad muted">{t('account.tokens.none')}</p>
          ) : (
            <TokenTable rows={rows} onRevoke={setRevoked} />
          )
        }
      </Loaded>
      <RevokeToken token={revoked} onClose={() => setRevoked(null)} />
    </SectionCard>
  );
}
