import { configurableEnv, envValue, envVariable, inputType, type WizardStep } from '@moorage/domain';
import { Lock, type LucideIcon, Server, Signpost } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { placeOf, useWithOffer } from '../../parts/offer';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { Flag } from '../../ui/flag';
import { usePackages } from '../../data/catalogue';
import { PackageMark } from '../../parts/package-mark';
import { markIn } from '../../data/package-marks';
import { countryIn } from './country';
import { useEnvLabel } from './env-label';
import { OldPrices } from './old-prices-note';
import { stepAddress } from '../../parts/order/step-address';
import { SameDomain } from './same-domain';
import { StepHeading } from './step-frame';
import { useChosen } from './use-chosen';
import { useWizard } from './use-wizard';

interface RowFacts {
  readonly what: string;
  readonly step: WizardStep;
  readonly value: ReactNode;
}

export function ReviewStep({ children }: { children: ReactNode }) {
  const t = useText();
  return (
    <>
      <StepHeading title={t('wizard.review.heading')}>{t('wizard.review.intro')}</StepHeading>
      <OldPrices />
      <SameDomain />
      {children}
      <dl className="card review">
        {useRows().map(({ what, step, value }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
            <dd className="chg">
              <Link className="small" to={stepAddress(step)} aria-label={t('wizard.review.change_what', { what })}>
                {t('wizard.review.change')}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      <Afterwards />
    </>
  );
}

/** Returns everything that will be ordered, without empty optional values. */
function useRows(): RowFacts[] {
  const t = useText();
  const label = useEnvLabel();
  const { wizard, config } = useWizard();
  const chosen = useChosen();
  const { data: packages } = usePackages();
  const { draft } = wizard;
  const { region, size } = chosen;
  const withOffer = useWithOffer(placeOf(draft));
  const isNew = draft.server_type === 'new';
  const place: RowFacts[] = isNew
    ? [
        {
          what: t('wizard.steps.region'),
          step: 'region',
          value:
            region === null ? (
              draft.region
            ) : (
              <span className="row">
                <Flag countryCode={region.country_code} />
                {`${region.display_name}, ${countryIn(region.country_code)}`}
              </span>
            ),
        },
        {
          what: t('wizard.steps.instance'),
          step: 'instance',
          value:
            size === null
              ? draft.instance_type
              : t('wizard.review.size', { name: size.display_name, cpu: size.cpu, memory: size.memory }),
        },
      ]
    : [];
  const typed = (config === null ? [] : configurableEnv(config)).flatMap(({ name }): RowFacts[] => {
    const field = envVariable(name)?.field;
    const value = config === null ? '' : envValue(draft, name, config);
    if (field === undefined || value === '') return [];
    const secret = envVariable(name)?.secret === true || inputType(field) === 'password';
    return [{ what: label(name), step: 'config', value: secret ? <Dots /> : value }];
  });
  const key = (draft.user_ssh_key ?? '').trim();
  return [
    {
      what: t('wizard.steps.package'),
      step: 'package',
      value: (
        <span className="row">
          <PackageMark mark={markIn(packages, draft.package)} size="s" />
          {chosen.package}
        </span>
      ),
    },
    {
      what: t('wizard.steps.server'),
      step: 'server',
      value: isNew
        ? t('wizard.review.new_at', { provider: chosen.provider ?? '' })
        : t('wizard.review.own_at', { address: draft.vps_ip_address ?? '' }),
    },
    ...place,
    ...typed,
    ...(isNew && key !== ''
      ? [
          {
            what: t('wizard.config.ssh_label'),
            step: 'config' as const,
            value: <span className="mono keyline">{key}</span>,
          },
        ]
      : []),
    {
      what: t('wizard.steps.support'),
      step: 'support',
      value: `${t(`wizard.support.level${draft.support_level}`)}: ${withOffer(t(`wizard.support.has${draft.support_level}`), draft.support_level)}`,
    },
  ];
}

function Dots() {
  const t = useText();
  return (
    <>
      <span className="mono" aria-hidden="true">
        {'•'.repeat(12)}
      </span>
      <span className="vh">{t('wizard.review.hidden')}</span>
    </>
  );
}

function Afterwards() {
  const t = useText();
  const { sandbox_domain: zone } = useConsoleSettings();
  const { wizard, config } = useWizard();
  const { domain, server_type: type } = wizard.draft;
  const hasDomain = (config === null ? [] : configurableEnv(config)).some(({ name }) => name === 'DOMAIN');
  const bySandbox = type === 'new' && zone !== null && (domain ?? '').endsWith(`.${zone}`);
  return (
    <>
      <h2 className="after">{t('wizard.review.after')}</h2>
      <ol className="tl">
        <After
          icon={Server}
          title={type === 'vps' ? t('wizard.review.setup_own') : t('wizard.review.setup')}
          time={t('wizard.review.setup_time')}
          more={t('wizard.review.setup_more')}
        />
        {!hasDomain ? null : bySandbox ? (
          <After
            icon={Signpost}
            title={t('wizard.review.domain_sandbox')}
            time={t('wizard.review.domain_sandbox_time')}
          />
        ) : (
          <After
            icon={Signpost}
            chosenByYou
            title={t('wizard.review.domain')}
            time={t('wizard.review.domain_time')}
            more={t('wizard.review.domain_more')}
          />
        )}
        {hasDomain ? (
          <After
            icon={Lock}
            title={t('wizard.review.certificate')}
            time={t('wizard.review.certificate_time')}
            more={t('wizard.review.certificate_more')}
          />
        ) : null}
      </ol>
    </>
  );
}

function After({
  icon: Icon,
  title,
  time,
  more,
  chosenByYou = false,
}: {
  icon: LucideIcon;
  title: string;
  time: string;
  more?: string;
  chosenByYou?: boolean;
}) {
  return (
    <li className={chosenByYou ? 'need' : 'wait'}>
      <span className="n">
        <Icon aria-hidden="true" />
      </span>
      <b>{title}</b>
      <span className="d">{time}</span>
      {more === undefined ? null : <div className="more">{more}</div>}
    </li>
  );
}
