import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import type { Updates } from '../../../data/updates';
import { useAction } from '../../../data/use-action';
import { allows } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useCanChange } from '../../../data/session';
import { useText } from '../../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { dayWithYear } from '../../../ui/dates';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { wordList } from '../../../ui/list-format';
import { useIsOwner, useIsVerified } from '../actions';
import { useNow } from '../../../data/use-now';
import { periodText, periodTexts } from './period-text';

type When = 'now' | 'window' | 'never';

/** Security updates of the server that wait for a reboot, with the reboot itself on servers of ours. */
export function RebootNeed({ deployment, updates }: { deployment: Deployment; updates: Updates }) {
  const t = useText();
  const [when, setWhen] = useState<When | null>(null);
  const isVerified = useIsVerified();
  const canChange = useCanChange();
  const { reboot, window, settings } = updates;
  if (reboot === null) return null;
  const offered: readonly When[] = reboot.is_planned ? ['now', 'never'] : ['now', 'window'];
  return (
    <div className="note brass" role="status">
      <RotateCw size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('updates.reboot.needed')}</b>
        </p>
        <p className="soft anywhere">
          {[
            ...(reboot.since === null ? [] : [t('updates.reboot.since', { date: dayWithYear(reboot.since) })]),
            ...(reboot.packages.length === 0
              ? []
              : [t('updates.reboot.packages', { packages: wordList(reboot.packages) })]),
          ].join(' ')}
        </p>
        {deployment.server_type === 'vps' ? <p>{t('updates.reboot.own')}</p> : null}
        {reboot.is_planned ? (
          <p>{t('updates.reboot.planned', { window: periodText(window, settings.time_zone, t) })}</p>
        ) : null}
        {canChange && allows(deployment, 'reboot') ? (
          <div className="row wrap">
            {offered.map((each) => (
              <LockedButton
                key={each}
                size="small"
                reason={isVerified ? null : t('deployments.locked.unverified')}
                aria-haspopup="dialog"
                onClick={() => setWhen(each)}
              >
                {t(`updates.reboot.${each}.button`)}
              </LockedButton>
            ))}
          </div>
        ) : null}
      </div>
      {when === null ? null : (
        <RebootDialog deployment={deployment} updates={updates} when={when} onClose={() => setWhen(null)} />
      )}
    </div>
  );
}

/** Reboots the server now or in the window, or cancels that. Staff states a reason. */
function RebootDialog({
  deployment,
  updates: { window, settings },
  when,
  onClose,
}: {
  deployment: Deployment;
  updates: Updates;
  when: When;
  onClose: () => void;
}) {
  const t = useText();
  const { id, client_name: name } = deployment;
  const now = useNow();
  const isOwner = useIsOwner(deployment);
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'reboot'),
    { params: { id }, body: { when, reason: isOwner ? null : reason.trim() } },
    { done: () => t(`updates.reboot.${when}.done`, { name }), failed: t(`updates.reboot.${when}.failed`), onClose },
  );
  return (
    <ConfirmDialog
      title={t(`updates.reboot.${when}.title`, { name })}
      submit={{
        label: t(`updates.reboot.${when}.submit`),
        busyLabel: t('updates.reboot.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      hasField={!isOwner}
      isReady={isOwner || isReason(reason)}
      onClose={onClose}
    >
      <p>{t(`updates.reboot.${when}.text`)}</p>
      {when === 'window' && Date.parse(window.from) <= now ? <p>{t('updates.reboot.window.open')}</p> : null}
      {when === 'window'
        ? periodTexts(window, settings.time_zone, t).map((period) => (
            <p key={period}>
              <b>{period}</b>
            </p>
          ))
        : null}
      {isOwner ? null : <ReasonField value={reason} hasFocus onChange={setReason} />}
    </ConfirmDialog>
  );
}
