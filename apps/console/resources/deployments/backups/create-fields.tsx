import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import {
  PRICE_LIST,
  SUPPORT_LEVELS,
  dailyPrice,
  type Message,
  splitTypeName,
  type SupportLevel,
} from '@moorage/domain';
import { type ReactNode, useId } from 'react';
import { leastTopUp } from '../../../parts/money/saving-button';
import { useOrderEffect } from '../../../data/billing';
import { addFundsAddress } from '../../../data/checkout';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { bothForms } from '../../../ui/both-forms';
import { shortInstant } from '../../../ui/dates';
import { hourlyPrice, money } from '../../../ui/money';
import { sizesFor, unfitIn } from '../../../parts/order/size-fit';
import { isOver, levelKey } from '../../../parts/deployment/deployment-messages';
import { placeOf, useOffer } from '../../../parts/offer';
import { capital } from './copy-messages';
import { OwnServerField } from './own-server-field';
import { NOT_CHECKED, type NewPlaceForm } from './use-new-place';
import { ButtonLink } from '../../../ui/button-link';

export type Problems = Readonly<Partial<Record<string, Message>>>;

/** Form for a new deployment with place, name, domain, support level and cost. */
export function CreateFields({
  form,
  deployment,
  problems,
}: {
  form: NewPlaceForm;
  deployment: Deployment | undefined;
  problems: Problems;
}) {
  const t = useText();
  const { place, change, isBroken } = form;
  return (
    <div className="create-fields">
      <Radios
        label={t('backups.create.where')}
        value={place.server_type}
        choices={[
          { value: 'new', label: t('wizard.server.new') },
          { value: 'vps', label: t('wizard.server.own') },
        ]}
        problem={problems.server_type}
        onChoose={(value) => {
          form.setServerCheck(NOT_CHECKED);
          change({ server_type: value === 'vps' ? 'vps' : 'new' });
        }}
      />
      {place.server_type === 'new' ? (
        <PlaceFields form={form} problems={problems} />
      ) : (
        <OwnServerField
          address={place.vps_ip_address}
          onType={(address) => change({ vps_ip_address: address })}
          serverCheck={form.serverCheck}
          onServerCheck={form.setServerCheck}
          packageName={deployment?.package ?? null}
          problem={problems.vps_ip_address ?? null}
        />
      )}
      {isBroken ? (
        <p className="problem small" role="alert">
          {t('backups.create.no_place')}
        </p>
      ) : null}
      <div className="two">
        <TextInput
          label={t('backups.create.name')}
          value={place.client_name}
          hint={t('backups.create.name_hint')}
          problem={problems.client_name}
          onType={(name) => change({ client_name: name })}
        />
        <Select
          label={t('backups.create.level')}
          value={String(place.support_level)}
          problem={problems.support_level}
          onChoose={(value) => {
            const level = SUPPORT_LEVELS.find((each) => String(each) === value);
            if (level !== undefined) change({ support_level: level });
          }}
        >
          {SUPPORT_LEVELS.map((level) => (
            <LevelOption key={level} level={level} />
          ))}
        </Select>
      </div>
      <LevelHint form={form} />
      <DomainFields form={form} deployment={deployment} problem={problems.domain} />
      <Cost form={form} />
    </div>
  );
}

function PlaceFields({ form, problems }: { form: NewPlaceForm; problems: Problems }) {
  const t = useText();
  const { place, change, providers, regions, sizes, config } = form;
  return (
    <>
      <div className="two">
        <Select
          label={t('backups.create.provider')}
          value={place.cloud_provider}
          problem={problems.cloud_provider}
          onChoose={(name) => change({ cloud_provider: name, region: '', instance_type: '' })}
          placeholder
        >
          {providers.map(({ name, display_name: title, from_daily: from }) => (
            <option key={name} value={name} disabled={from === null}>
              {title}
            </option>
          ))}
        </Select>
        <Select
          label={t('backups.create.region')}
          value={place.region}
          problem={problems.region}
          onChoose={(name) => change({ region: name, instance_type: '' })}
          placeholder
        >
          {regions.map(({ name, display_name: title, from_daily: from }) => (
            <option key={name} value={name} disabled={from === null}>
              {title}
            </option>
          ))}
        </Select>
      </div>
      <Select
        label={t('backups.create.size')}
        value={place.instance_type}
        problem={problems.instance_type}
        onChoose={(name) => change({ instance_type: name })}
        placeholder
      >
        {sizesFor(sizes, config).sorted.map((size) => {
          const isUnfit = unfitIn(size, config) !== null;
          const why = isUnfit ? t('backups.create.too_small') : size.available ? null : t('backups.create.sold_out');
          const line = t('backups.create.size_line', {
            name: splitTypeName(size.display_name).name,
            cpu: size.cpu,
            memory: size.memory,
            price: money(size.hourly_cost * PRICE_LIST.hoursPerDay, { rounding: 'half_up' }),
          });
          return (
            <option key={size.name} value={size.name} disabled={why !== null}>
              {why === null ? line : `${line} (${why})`}
            </option>
          );
        })}
      </Select>
    </>
  );
}

function LevelOption({ level }: { level: SupportLevel }) {
  const t = useText();
  const hourly = PRICE_LIST.supportLevelHourly[level];
  const name = t(levelKey(level));
  return (
    <option value={String(level)}>
      {hourly.isZero
        ? t('backups.create.level_free', { level: name })
        : t('backups.create.level_price', {
            level: name,
            daily: money(dailyPrice(hourly).toWire(), { rounding: 'half_up', sign: true }),
          })}
    </option>
  );
}

/** Shows what the chosen level backs up at the chosen place, once that is known. */
function LevelHint({ form: { place } }: { form: NewPlaceForm }) {
  const offer = useOffer(place.support_level, placeOf(place));
  return offer === null ? null : <p className="hint level-hint">{capital(offer)}.</p>;
}

function DomainFields({
  form: { place, change },
  deployment,
  problem,
}: {
  form: NewPlaceForm;
  deployment: Deployment | undefined;
  problem: Message | undefined;
}) {
  const t = useText();
  if (deployment !== undefined && deployment.domain === null) return null;
  const isRunning = deployment !== undefined && !isOver(deployment);
  return (
    <div>
      <Radios
        label={t('backups.create.domain')}
        value={place.hasOtherDomain ? 'other' : 'same'}
        choices={[
          {
            value: 'same',
            label:
              deployment?.domain == null
                ? t('backups.create.domain_before')
                : t('backups.create.domain_same', { domain: bothForms(deployment.domain) }),
          },
          { value: 'other', label: t('backups.create.domain_other') },
        ]}
        problem={place.hasOtherDomain ? undefined : problem}
        onChoose={(value) => change({ hasOtherDomain: value === 'other' })}
      />
      {place.hasOtherDomain ? (
        <TextInput
          label={t('backups.create.domain_other')}
          isLabelHidden
          value={place.domain}
          problem={problem}
          onType={(domain) => change({ domain })}
        />
      ) : isRunning ? (
        <p className="hint">{t('backups.create.domain_same_hint', { name: deployment.client_name })}</p>
      ) : null}
    </div>
  );
}

/** Shows the daily cost and the new end date, or what is still missing. */
function Cost({ form: { price } }: { form: NewPlaceForm }) {
  const t = useText();
  const effect = useOrderEffect(price?.hourly_cost ?? null).data;
  const refusal = effect?.order_refusal ?? null;
  if (price === null) return null;
  return (
    <div className="create-cost" role="status">
      <div className="lines">
        <div>
          <span>{t('wizard.price.per_day')}</span>
          <b title={hourlyPrice(price.hourly_cost)}>{money(price.daily_cost, { rounding: 'half_up' })}</b>
        </div>
        {effect === undefined || refusal !== null ? null : (
          <div>
            <span>{t('wizard.price.then')}</span>
            <b className="until-date">
              {effect.ends_at === null
                ? t('wizard.price.endless')
                : shortInstant(effect.ends_at, Date.parse(effect.now))}
            </b>
          </div>
        )}
      </div>
      {refusal === null ? null : (
        <>
          <p className="problem small">
            {messageText({ code: refusal.message_code, facts: refusal.facts, detail: refusal.detail })}
          </p>
          <ButtonLink
            size="small"
            to={addFundsAddress({
              amount: leastTopUp(refusal.code === 'BALANCE_OWED' ? refusal.owed : refusal.needed - refusal.available),
            })}
          >
            {t('wizard.price.add')}
          </ButtonLink>
        </>
      )}
    </div>
  );
}

function Select({
  label,
  value,
  placeholder = false,
  problem,
  onChoose,
  children,
}: {
  label: string;
  value: string;
  /** The selection may be empty at first. */
  placeholder?: boolean;
  problem: Message | undefined;
  onChoose: (value: string) => void;
  children: ReactNode;
}) {
  const t = useText();
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <span className={problem === undefined ? 'in' : 'in bad'}>
        <select
          id={id}
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={({ target }) => onChoose(target.value)}
        >
          {placeholder ? (
            <option value="" disabled>
              {t('backups.create.choose')}
            </option>
          ) : null}
          {children}
        </select>
      </span>
      <FieldProblem id={id} problem={problem} />
    </div>
  );
}

function TextInput({
  label,
  isLabelHidden = false,
  value,
  hint,
  problem,
  onType,
}: {
  label: string;
  isLabelHidden?: boolean;
  value: string;
  hint?: string;
  problem: Message | undefined;
  onType: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={isLabelHidden ? 'vh' : undefined}>
        {label}
      </label>
      <span className={problem === undefined ? 'in' : 'in bad'}>
        <input
          id={id}
          type="text"
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined && hint === undefined ? undefined : `${id}-problem`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => onType(target.value)}
        />
      </span>
      {problem !== undefined ? (
        <FieldProblem id={id} problem={problem} />
      ) : hint === undefined ? null : (
        <p className="hint" id={`${id}-problem`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Radios({
  label,
  value,
  choices,
  problem,
  onChoose,
}: {
  label: string;
  value: string;
  choices: readonly { readonly value: string; readonly label: string }[];
  problem: Message | undefined;
  onChoose: (value: string) => void;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend id={id}>{label}</legend>
      <RadioGroup row aria-labelledby={id} value={value} onChange={(_event, chosen) => onChoose(chosen)}>
        {choices.map((choice) => (
          <FormControlLabel
            key={choice.value}
            value={choice.value}
            control={<Radio size="small" />}
            label={choice.label}
          />
        ))}
      </RadioGroup>
      <FieldProblem id={id} problem={problem} />
    </fieldset>
  );
}

function FieldProblem({ id, problem }: { id: string; problem: Message | undefined }) {
  return problem === undefined ? null : (
    <p className="hint wrong" id={`${id}-problem`} role="alert">
      {messageText(problem)}
    </p>
  );
}
