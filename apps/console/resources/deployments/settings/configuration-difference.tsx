import { useWatch } from 'react-hook-form';
import type { Deployment } from '../../../data/deployments';
import { useEnvLabel } from '../../../parts/order/env-label';
import { useText } from '../../../texts/console-i18n';
import { type ConfigurationValue, type Difference, differencesOf, type Entered, envOf } from './configuration-values';
import { MissingRecords } from './missing-records';

/** Changes that the form would make, with their effect. */
export function ConfigurationDifference({
  deployment,
  values,
}: {
  deployment: Deployment;
  values: readonly ConfigurationValue[];
}) {
  const t = useText();
  const differences = differencesOf(values, useWatch<Entered>());
  if (differences.length === 0) return <p className="hint">{t('configuration.nothing')}</p>;
  const entered = Object.fromEntries(differences.map(({ field, after }) => [envOf(field), after ?? '']));
  return (
    <section className="config-difference" aria-label={t('configuration.difference')}>
      <p className="small">
        <b>{t('configuration.changes', { smart_count: differences.length })}</b>
      </p>
      <ul>
        {differences.map((difference) => (
          <Change key={difference.field} difference={difference} />
        ))}
      </ul>
      <MissingRecords deployment={deployment} changes={entered} />
      <p className="small soft">{t('configuration.effect')}</p>
    </section>
  );
}

function Change({ difference: { field, secret, before, after } }: { difference: Difference }) {
  const t = useText();
  const label = useEnvLabel()(envOf(field));
  const isAdded = after !== null;
  const words = secret && isAdded ? t('configuration.new_value') : (after ?? t('configuration.removed'));
  return (
    <li>
      {before === null ? null : (
        <div className="was">
          <span aria-hidden="true">−</span>
          <span className="vh">{t('configuration.before')}</span> {label} <span className="mono">{before}</span>
        </div>
      )}
      <div className={isAdded ? 'is' : 'was'}>
        <span aria-hidden="true">{isAdded ? '+' : '−'}</span>
        <span className="vh">{t('configuration.after')}</span> {label}{' '}
        <span className={secret || !isAdded ? '' : 'mono'}>{words}</span>
      </div>
    </li>
  );
}
