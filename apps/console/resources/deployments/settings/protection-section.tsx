import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useId } from 'react';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { useActsAsOwner, useIsVerified } from '../actions';
import { withReason } from '../../../data/problem-message';
import { Section } from '../section';

/** Deletion lock, with what it prevents and what it does not. */
export function ProtectionSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const id = useId();
  const isVerified = useIsVerified();
  const { mutate, isPending, variables } = useAction('deployments', 'setDeletionLock', {
    failed: (error) => withReason(t('deployments.protection.failed'), error),
  });
  const isOwner = useActsAsOwner(deployment);
  // A deployment that is being removed can only be unlocked.
  if (!isOwner || (deployment.status === 'DESTROYING' && !deployment.deletion_locked)) return null;
  const isOn = isPending ? variables.body.locked : deployment.deletion_locked;
  const set = (locked: boolean): void => {
    if (!isPending) mutate({ params: { id: deployment.id }, body: { locked } });
  };
  return (
    <Section title={t('deployments.protection.title')}>
      <FormControlLabel
        className={isVerified ? 'switch' : 'switch is-off'}
        control={
          <Switch
            size="small"
            checked={isOn}
            onChange={isVerified ? (_event, on) => set(on) : undefined}
            slotProps={{
              input: {
                role: 'switch',
                'aria-describedby': `${id}-hint`,
                ...(isVerified ? {} : { 'aria-disabled': true, readOnly: true }),
              },
            }}
          />
        }
        label={t('deployments.protection.lock')}
      />
      <p className="hint" id={`${id}-hint`}>
        {t('deployments.protection.refuses')} {t('deployments.protection.not')}
        {isVerified ? null : ` ${t('deployments.locked.unverified')}`}
      </p>
    </Section>
  );
}
