import { useState } from 'react';
import { Instant } from '../../ui/instant';
import { type Provider, useRemoveCredentials } from '../../data/providers';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { CredentialsDialog } from './credentials-dialog';
import { FactRow } from './fact-row';
import { Button } from '../../ui/button';

/** Source of the credentials and result of the latest test. */
export function CredentialsRow({ provider }: { provider: Provider }) {
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
      {isOpen === 'remove' ? <RemoveDialog provider={provider} onClose={() => setOpen(null)} /> : null}
    </FactRow>
  );
}

function Entered({ provider: { credentials } }: { provider: Provider }) {
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

function RemoveDialog({ provider: { provider }, onClose }: { provider: Provider; onClose: () => void }) {
  const t = useText();
  const requested = useConfirmedAction(useRemoveCredentials(provider), undefined, {
    done: () => t('providers.credentials.removed'),
    failed: t('providers.credentials.remove_failed'),
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('providers.credentials.remove_title')}
      submit={{
        label: t('providers.credentials.remove'),
        busyLabel: t('providers.credentials.removing'),
        isDanger: true,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('providers.credentials.remove_text')}</p>
    </ConfirmDialog>
  );
}
