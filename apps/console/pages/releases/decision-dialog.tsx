import { nextRing, type RolloutState } from '@moorage/domain';
import type { Rollout } from '../../data/updates';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

export type Decision = 'offer' | 'stop' | 'continue' | 'withdraw';

const STATE_AFTER: Readonly<Record<Decision, RolloutState>> = {
  offer: 'rolling',
  stop: 'stopped',
  continue: 'rolling',
  withdraw: 'withdrawn',
};

/** Confirms a decision about a version after stating its consequence. */
export function DecisionDialog({
  rollout: { package: name, package_name: packageName, version, ring, changed_at: changedAt },
  decision,
  onClose,
}: {
  rollout: Rollout;
  decision: Decision;
  onClose: () => void;
}) {
  const t = useText();
  const ringAfter = decision === 'offer' ? (nextRing(ring) ?? ring) : ring;
  const requested = useConfirmedAction(
    useAction('releases', 'decide'),
    {
      params: { package: name, version },
      body: { ring: ringAfter, state: STATE_AFTER[decision], expected_changed_at: changedAt },
    },
    {
      done: () => t(`updates.rollout.${decision}.done`, { version }),
      failed: t('updates.rollout.decide_failed'),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={t(`updates.rollout.${decision}.title`, { version: `${packageName} ${version}` })}
      submit={{
        label: decision === 'offer' ? offerText(t, ring) : t(`updates.rollout.${decision}.button`),
        busyLabel: t('updates.rollout.busy'),
        isDanger: decision === 'withdraw',
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>
        {t(`updates.rollout.${decision}.text`)}
        {decision === 'offer' && ringAfter === 'all' ? ` ${t('updates.rollout.offer.all')}` : null}
      </p>
    </ConfirmDialog>
  );
}

/** Returns the label of the button that offers a version to the next ring. */
export function offerText(t: ReturnType<typeof useText>, ring: Rollout['ring']): string {
  const next = nextRing(ring);
  return next === null || next === 'none' ? '' : t(`updates.rollout.offer.button.${next}`);
}
