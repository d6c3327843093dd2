import type { AlternativeAnswer } from '@moorage/contracts';
import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../../data/errors';
import { addFundsAddress } from '../../../data/checkout';
import { type Deployment, useAlternatives } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { Flag } from '../../../ui/flag';
import { money } from '../../../ui/money';
import { Button } from '../../../ui/button';
import { ButtonLink } from '../../../ui/button-link';
import { useIsCard } from '../section';
import { pageOf } from '../tabs';
import { errorText } from '../../../data/problem-message';
import './alternatives.css';

/** Places where a deployment can be reordered with one click after its size or region was refused. */
export function Alternatives({ deployment, provider }: { deployment: Deployment; provider: string }) {
  const t = useText();
  const id = useId();
  const navigate = useNavigate();
  const { data: places } = useAlternatives(deployment.id);
  const isOnPage = useIsCard();
  const retry = useAction('deployments', 'retryElsewhere');
  const order = ({ region, instance_type, hourly_cost }: AlternativeAnswer): void =>
    retry.mutate(
      {
        params: { id: deployment.id },
        body: { region, instance_type, expected_hourly_cost: hourly_cost },
      },
      {
        onSuccess: ({ id: created }) => void navigate(isOnPage ? pageOf(created) : `/dashboard?deployment=${created}`),
      },
    );
  if (places === undefined) return null;
  if (places.length === 0) return <p className="soft">{t('deployments.failure.nowhere', { provider })}</p>;
  return (
    <section className="elsewhere" aria-labelledby={id}>
      <h4 id={id}>{t('deployments.failure.elsewhere')}</h4>
      <p className="soft">{t('deployments.failure.elsewhere_lead')}</p>
      {retry.error === null ? null : <NotOrdered error={retry.error} />}
      <ul>
        {places.map((place) => {
          const { region, region_name, country_code, instance_type, instance_type_name: size, cpu, memory } = place;
          const daily = money(place.daily_cost, { rounding: 'price' });
          const isOrdering =
            retry.isPending &&
            retry.variables.body.region === region &&
            retry.variables.body.instance_type === instance_type;
          return (
            <li key={`${region}/${instance_type}`}>
              <Flag countryCode={country_code} />
              <span>
                <b>{t('deployments.failure.place', { size, region: region_name })}</b>
                <span className="small muted">{t('deployments.failure.place_size', { cpu, memory })}</span>
              </span>
              <span className="small nowrap">{t('deployments.failure.place_price', { daily })}</span>
              <Button
                size="small"
                busy={retry.isPending}
                aria-label={t('deployments.failure.order_what', { size, region: region_name, daily })}
                onClick={() => order(place)}
              >
                {t(isOrdering ? 'deployments.failure.ordering' : 'deployments.failure.order')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function NotOrdered({ error }: { error: Error }) {
  const t = useText();
  return (
    <div role="alert">
      <p className="problem">
        {t('deployments.failure.not_ordered')} {errorText(error)}
      </p>
      {error instanceof ApiError && error.status === 402 ? (
        <ButtonLink size="small" to={addFundsAddress({})}>
          {t('wizard.price.add')}
        </ButtonLink>
      ) : null}
    </div>
  );
}
