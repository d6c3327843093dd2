import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { useActsAsOwner, useIsVerified } from '../actions';
import { Section } from '../section';
import { NameForm } from './name-form';

/** Name of a deployment, with its form for the owner. */
export function NameSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isOwner = useActsAsOwner(deployment);
  const isVerified = useIsVerified();
  return (
    <Section title={t('deployments.columns.name')}>
      {isOwner && isVerified ? (
        <NameForm deployment={deployment} />
      ) : (
        <>
          <p className="anywhere">
            <b>{deployment.client_name}</b>
          </p>
          {isOwner ? <p className="hint">{t('deployments.locked.unverified')}</p> : null}
        </>
      )}
    </Section>
  );
}
