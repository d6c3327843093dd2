import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { errorText } from '../../../data/problem-message';
import { type SshKey, type SshKeys, useSshKeys } from '../../../data/ssh-keys';
import { addressOf, allows, isOver, lockedKey } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { shortInstant } from '../../../ui/dates';
import { ErrorAlert } from '../../../ui/error-alert';
import { useActsAsOwner, useIsVerified } from '../actions';
import { Section } from '../section';
import { AddSshKey, RemoveSshKey } from './ssh-key-dialogs';
import './ssh-keys-section.css';

/** SSH keys with which the owner logs in to the server. */
export function SshKeysSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isShown = useActsAsOwner(deployment) && !isOver(deployment);
  const { data: keys, error, refetch } = useSshKeys(deployment.id, isShown);
  if (!isShown) return null;
  return (
    <Section title={t('ssh_keys.title')}>
      {keys !== undefined ? (
        <Keys deployment={deployment} keys={keys} />
      ) : error !== null ? (
        <ErrorAlert text={t('ssh_keys.failed_to_load')} detail={errorText(error)} onRetry={() => void refetch()} />
      ) : null}
    </Section>
  );
}

function Keys({ deployment, keys }: { deployment: Deployment; keys: SshKeys }) {
  const t = useText();
  const reason = useReason(deployment);
  const [dialog, setDialog] = useState<'add' | SshKey | null>(null);
  const close = (): void => setDialog(null);
  const isFull = keys.keys.length >= keys.keys_max;
  return (
    <div className="ssh-keys">
      <Lead deployment={deployment} keys={keys} />
      <ul>
        {keys.keys.map((key) => (
          <li key={key.id}>
            <div>
              <b className="anywhere">{key.name}</b>
              <span className="small mono muted" title={key.fingerprint}>
                {shortened(key.fingerprint)}
              </span>
              <span className="small muted">{t('ssh_keys.added', { at: shortInstant(key.added_at) })}</span>
            </div>
            <LockedButton
              size="small"
              reason={reason}
              aria-label={t('ssh_keys.remove_key', { name: key.name })}
              aria-haspopup="dialog"
              onClick={() => setDialog(key)}
            >
              {t('ssh_keys.remove')}
            </LockedButton>
          </li>
        ))}
      </ul>
      <State deployment={deployment} keys={keys} />
      <LockedButton
        size="small"
        reason={reason ?? (isFull ? t('ssh_keys.full', { most: keys.keys_max }) : null)}
        aria-haspopup="dialog"
        onClick={() => setDialog('add')}
      >
        {t('ssh_keys.add')}
      </LockedButton>
      {dialog === 'add' ? <AddSshKey id={deployment.id} onClose={close} /> : null}
      {dialog !== null && dialog !== 'add' ? <RemoveSshKey id={deployment.id} sshKey={dialog} onClose={close} /> : null}
    </div>
  );
}

/** Returns why the keys cannot be changed now, or null if they can. */
function useReason(deployment: Deployment): string | null {
  const t = useText();
  const isVerified = useIsVerified();
  if (!isVerified) return t('deployments.locked.unverified');
  return allows(deployment, 'manage_keys') ? null : t(lockedKey(deployment) ?? 'ssh_keys.locked');
}

function Lead({ deployment, keys: { keys } }: { deployment: Deployment; keys: SshKeys }) {
  const t = useText();
  if (keys.length === 0) return <p>{t('ssh_keys.empty')}</p>;
  const address = deployment.server_type === 'new' ? addressOf(deployment) : null;
  return <p className="anywhere">{address === null ? t('ssh_keys.lead') : t('ssh_keys.lead_new', { address })}</p>;
}

function State({ deployment, keys: { keys, state, failure, retry_at } }: { deployment: Deployment; keys: SshKeys }) {
  const t = useText();
  if (state === 'failed' && failure !== null)
    return (
      <p className="hint is-bad" role="status">
        {t('ssh_keys.failed', { reason: messageText(failure) })}{' '}
        {retry_at === null ? t('ssh_keys.given_up') : t('ssh_keys.retry', { at: shortInstant(retry_at) })}
      </p>
    );
  if (state !== 'applying') return null;
  const isCreating = deployment.status === 'CREATING' || deployment.status === 'PROVISIONING';
  if (isCreating && keys.length === 0) return null;
  return (
    <p className="hint" role="status">
      {t(isCreating ? 'ssh_keys.waits' : 'ssh_keys.applying')}
    </p>
  );
}

/** Returns a fingerprint short enough for one line. Its title shows it in full. */
const shortened = (fingerprint: string): string => `${fingerprint.slice(0, 15)}…${fingerprint.slice(-6)}`;
