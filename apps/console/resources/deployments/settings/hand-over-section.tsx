import { isWithinDomain } from '@moorage/domain';
import { useState } from 'react';
import { useConsoleSettings } from '../../../data/brand';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { allows } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useText } from '../../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { money } from '../../../ui/money';
import { useActsAsOwner, useIsVerified } from '../actions';
import { BackupsAfter } from '../backups/backups-after';
import { Back } from '../removal-notices';
import { Section } from '../section';

/** Offers to leave the software running on the customer's own server and to end our service. */
export function HandOverSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const [dialog, setDialog] = useState(false);
  const isVerified = useIsVerified();
  const isOwner = useActsAsOwner(deployment);
  if (!isOwner || !allows(deployment, 'hand_over')) return null;
  const locked = deployment.deletion_locked ? t('deployments.locked.deletion') : null;
  return (
    <Section title={t('hand_over.title')}>
      <p className="small soft">{t('hand_over.text')}</p>
      <div className="row wrap">
        <LockedButton
          reason={isVerified ? locked : t('deployments.locked.unverified')}
          aria-haspopup="dialog"
          onClick={() => setDialog(true)}
        >
          {t('hand_over.button')}
        </LockedButton>
      </div>
      {dialog ? <HandOverDialog deployment={deployment} onClose={() => setDialog(false)} /> : null}
    </Section>
  );
}

function HandOverDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const t = useText();
  const { id, client_name: name } = deployment;
  const { platform_domain: platform } = useConsoleSettings();
  const keepsName = platform !== null && deployment.domain !== null && isWithinDomain(deployment.domain, platform);
  const requested = useConfirmedAction(
    useAction('deployments', 'handOver'),
    { params: { id } },
    {
      done: ({ refunded_amount: back }) =>
        back > 0
          ? t('hand_over.done_refund', { name, amount: money(back, { rounding: 'price' }) })
          : t('hand_over.done', { name }),
      failed: t('hand_over.failed'),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={t('hand_over.dialog', { name })}
      cancelLabel={t('deployments.confirm.keep')}
      word={name}
      wordLabel={t('deployments.confirm.type_name')}
      submit={{ label: t('hand_over.button'), busyLabel: t('hand_over.busy'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('hand_over.stays')}</p>
      <p>
        {t('hand_over.ends')} <BackupsAfter deployment={deployment} />
      </p>
      {keepsName ? <p className="anywhere">{t('hand_over.loses_name', { domain: deployment.domain ?? '' })}</p> : null}
      <Back deployment={deployment} />
      <p>{t('hand_over.entry')}</p>
    </ConfirmDialog>
  );
}
