import type { ConfigurationAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { useConfiguration, type Deployment } from '../../../data/deployments';
import { useEnvLabel } from '../../../parts/order/env-label';
import { useText } from '../../../texts/console-i18n';
import { SkeletonLines } from '../../../ui/card';
import { allows } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useActsAsOwner, useIsVerified } from '../actions';
import { Section } from '../section';
import { ConfigurationForm } from './configuration-form';
import { envOf } from './configuration-values';
import { LastFailure } from './last-failure';

/** Values of a deployment's package, with a form to change them while it runs. */
export function ConfigurationSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { data, isPending } = useConfiguration(deployment.id);
  const [isOpen, setOpen] = useState(false);
  const isVerified = useIsVerified();
  const isOwner = useActsAsOwner(deployment);
  const shown = data?.values.filter(({ field }) => field !== 'domain') ?? [];
  // Most packages have values, so their place is kept until they are known.
  if (isPending)
    return (
      <Section className="config-sec" title={t('configuration.title')}>
        <SkeletonLines />
      </Section>
    );
  if (data === undefined || shown.length === 0) return null;
  const mayChange = isOwner && shown.some(({ changeable }) => changeable);
  const locked = isVerified
    ? allows(deployment, 'configure')
      ? null
      : t('configuration.not_now')
    : t('deployments.locked.unverified');
  return (
    <Section className="config-sec" title={t('configuration.title')}>
      <LastFailure change={data.change} />
      {isOpen && locked === null ? (
        <ConfigurationForm deployment={deployment} values={shown} onClose={() => setOpen(false)} />
      ) : (
        <>
          <Values values={shown} />
          {mayChange ? (
            <LockedButton size="small" reason={locked} onClick={() => setOpen(true)}>
              {t('configuration.change')}
            </LockedButton>
          ) : null}
        </>
      )}
    </Section>
  );
}

function Values({ values }: Pick<ConfigurationAnswer, 'values'>) {
  const t = useText();
  const label = useEnvLabel();
  return (
    <dl className="kv">
      {values.map(({ field, secret, is_set, value }) => (
        <div key={field}>
          <dt>{label(envOf(field))}</dt>
          <dd>
            {!is_set ? (
              <span className="muted">{t('configuration.none')}</span>
            ) : secret ? (
              t('configuration.stored')
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
