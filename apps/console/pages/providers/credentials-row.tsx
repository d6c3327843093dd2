import { useState } from 'react';
import { Instant } from '../../ui/instant';
import type { ProviderAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { CredentialsDialog } from './credentials-dialog';
import { FactRow } from './fact-row';
import { RemoveCredentialsDialog } from './remove-credentials-dialog';
import { Button } from '../../ui/button';

/** Source of the credentials and result of the latest test. */
export function CredentialsRow({ provider }: { provider: ProviderAnswer }) {
  const t = useText();
  const [isOpen, setOpen] = useState<'enter' | 'remove' | null>(null);
  const { credentials } = provider;
  if (credentials === null) return null;
  const { entered_since: since } = credentials;
  return (
    <FactRow label={t('providers.credentials.label')}>
      {since === null ? (
        t('providers.credentials.settings')
      ) : (
        <>
          {t('providers.credentials.entered')} <Instant iso={since} />
        </>
      )}
      <Entered provider={provider} />
      <span className="row wrap">
        <Button size="small" aria-haspopup="dialog" onClick={() => setOpen('enter')}>
          {t('providers.credentials.enter')}
        </Button>
        {since === null ? null : (
          <Button kind="danger" size="small" aria-haspopup="dialog" onClick={() => setOpen('remove')}>
            {t('providers.credentials.remove')}
          </Button>
        )}
      </span>
      {isOpen === 'enter' ? <CredentialsDialog provider={provider} onClose={() => setOpen(null)} /> : null}
      {isOpen === 'remove' ? <RemoveCredentialsDialog provider={provider} onClose={() => setOpen(null)} /> : null}
    </FactRow>
  );
}

function Entered({ provider: { credentials } }: { provider: ProviderAnswer }) {
  const t = useText();
  const entered = credentials?.entered ?? null;
  if (entered === null) return null;
  if (entered.state === 'testing') return <p className="note flat">{t('providers.credentials.testing')}</p>;
  return (
    <div className="note port">
      <div>
        <p>
          {t(`providers.credentials.refused.${entered.reason ?? 'not_usable'}`)} <Instant iso={entered.at} />
        </p>
        {entered.words === null || entered.words === '' ? null : <p className="mono small anywhere">{entered.words}</p>}
      </div>
    </div>
  );
}
