import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { splitTypeName } from '@moorage/domain';
import { useState } from 'react';
import {
  type Deployment,
  type DeploymentSizes,
  type ResizeQuote,
  useDeploymentSizes,
  useResizeQuote,
} from '../../../data/deployments';
import { ApiError } from '../../../data/errors';
import { unpaidChoice, useUnpaidChoice } from '../../../data/unpaid-choice';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { Button } from '../../../ui/button';
import { duration } from '../../../ui/dates';
import { money } from '../../../ui/money';
import { leastTopUp } from '../../../parts/money/saving-button';
import { TooLittle, UntilChange } from './level-quote';
import './level-chooser.css';
import './size-chooser.css';

type Size = DeploymentSizes['sizes'][number];
type T = ReturnType<typeof useText>;

const nameOf = (size: Pick<Size, 'display_name'>): string => splitTypeName(size.display_name).name;

/** Loads the sizes, then shows their choice. */
export function SizeChooser({ deployment, onDone }: { deployment: Deployment; onDone: () => void }) {
  const t = useText();
  const { data: sizes, isError } = useDeploymentSizes(deployment.id);
  if (sizes === undefined)
    return (
      <p className="small soft" role={isError ? 'alert' : undefined}>
        {isError ? t('resize.failed') : t('resize.loading')}
      </p>
    );
  return <Choice deployment={deployment} sizes={sizes} onDone={onDone} />;
}

/** Form to choose another size. Shows the size now and after, the price and the consequences before it starts. */
function Choice({ deployment, sizes, onDone }: { deployment: Deployment; sizes: DeploymentSizes; onDone: () => void }) {
  const t = useText();
  const { id } = deployment;
  const [name, setName] = useState(unpaidChoice('size', id) ?? sizes.instance_type);
  const [grows, setGrows] = useState(false);
  const size = sizes.sizes.find((one) => one.name === name && one.refusal === null);
  const quote = useResizeQuote(id, size === undefined ? null : { instance_type: name, grow_disk: grows });
  const resize = useAction('deployments', 'resize', {
    done: t('resize.done', { size: size === undefined ? '' : nameOf(size) }),
  });
  const refused = [resize.error, quote.error].find((error) => error instanceof ApiError);
  const enough =
    quote.data !== undefined &&
    (quote.data.hourly_cost <= deployment.hourly_cost || quote.data.needed <= quote.data.available);
  const mayGrow = sizes.disk === 'optional' && (size?.disk_gb ?? 0) > (sizes.disk_gb ?? Infinity);

  useUnpaidChoice('size', id, quote.data === undefined || enough ? null : name);

  const save = (hourly: number): void =>
    resize.mutate(
      { params: { id }, body: { instance_type: name, grow_disk: grows, expected_hourly_cost: hourly } },
      { onSuccess: onDone },
    );
  return (
    <div className="level-choice">
      <SizeOptions
        sizes={sizes}
        name={name}
        onChoose={(next) => {
          setName(next);
          setGrows(false);
          resize.reset();
        }}
      />
      {size === undefined ? null : (
        <div className="quote" aria-live="polite">
          {mayGrow ? <GrowDisk disk={size.disk_gb ?? 0} isChosen={grows} onChange={setGrows} /> : null}
          {quote.data === undefined ? (
            <p className="small soft">{quote.isError ? t('resize.not_calculated') : t('resize.calculating')}</p>
          ) : (
            <>
              <Comparison sizes={sizes} size={size} quote={quote.data} />
              <Effects deployment={deployment} sizes={sizes} quote={quote.data} enough={enough} />
              {enough ? null : <TooLittle quote={quote.data} isOwner />}
            </>
          )}
          {refused === undefined ? null : (
            <p role="alert" className="problem small">
              {messageText(refused.reason)}
            </p>
          )}
          <div className="row wrap">
            <Button
              kind="primary"
              size="small"
              disabled={!enough || resize.isPending}
              onClick={() => save(quote.data?.hourly_cost ?? 0)}
            >
              {resize.isPending ? t('resize.saving') : t('resize.save', { size: nameOf(size) })}
            </Button>
            <span className="small muted">{t('resize.once')}</span>
          </div>
        </div>
      )}
    </div>
  );
}

/** Sizes with their price, or with the reason why the server can't get them. */
function SizeOptions({
  sizes,
  name,
  onChoose,
}: {
  sizes: DeploymentSizes;
  name: string;
  onChoose: (name: string) => void;
}) {
  const t = useText();
  return (
    <RadioGroup
      className="size-options"
      aria-label={t('resize.choose')}
      value={name}
      onChange={(_event, value) => onChoose(value)}
    >
      {sizes.sizes.map((size) => {
        const isCurrent = size.name === sizes.instance_type;
        return (
          <FormControlLabel
            key={size.name}
            value={size.name}
            disabled={size.refusal !== null && !isCurrent}
            control={<Radio size="small" />}
            label={
              <span className="level">
                <b>
                  {nameOf(size)} {isCurrent ? <span className="tag">{t('resize.current')}</span> : null}
                </b>
                <span className="soft">{t('resize.a_day', { price: aDay(size) })}</span>
                <small className="muted">
                  {isCurrent || size.refusal === null ? partsOf(size, t) : messageText(size.refusal)}
                </small>
              </span>
            }
          />
        );
      })}
    </RadioGroup>
  );
}

function GrowDisk({
  disk,
  isChosen,
  onChange,
}: {
  disk: number;
  isChosen: boolean;
  onChange: (grows: boolean) => void;
}) {
  const t = useText();
  return (
    <label className="row grow-disk">
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {t('resize.grow', { disk })}
        <br />
        <span className="small muted">{t('resize.grow_hint')}</span>
      </span>
    </label>
  );
}

/** The size now and after, side by side. */
function Comparison({ sizes, size, quote }: { sizes: DeploymentSizes; size: Size; quote: ResizeQuote }) {
  const t = useText();
  const now = sizes.sizes.find(({ name }) => name === sizes.instance_type);
  return (
    <div className="size-cmp">
      <div>
        <p className="small muted">{t('resize.now')}</p>
        <p>
          <b>{now === undefined ? sizes.instance_type.toUpperCase() : nameOf(now)}</b>
          {now === undefined ? null : `, ${partsOf({ ...now, disk_gb: sizes.disk_gb }, t)}`}
        </p>
      </div>
      <div>
        <p className="small muted">{t('resize.after')}</p>
        <p>
          <b>{nameOf(size)}</b>, {partsOf({ ...size, disk_gb: quote.disk_gb }, t)}
        </p>
      </div>
    </div>
  );
}

/** Cost and consequences of the size. */
function Effects({
  deployment,
  sizes,
  quote,
  enough,
}: {
  deployment: Deployment;
  sizes: DeploymentSizes;
  quote: ResizeQuote;
  enough: boolean;
}) {
  const t = useText();
  const { today, runs_until: until } = quote;
  const amount = money(Math.abs(today), { rounding: 'price' });
  const back = { size: sizes.instance_type.toUpperCase() };
  const time = { duration: duration(quote.unreachable_s * 1_000) };
  const facts = [
    [
      t('resize.daily'),
      t('resize.daily_change', {
        before: money(deployment.daily_cost, { rounding: 'price' }),
        after: money(quote.daily_cost, { rounding: 'price' }),
      }),
    ],
    [
      t('resize.today'),
      today === 0
        ? t('resize.today_nothing')
        : t(today > 0 ? 'resize.today_charged' : 'resize.today_credited', { amount }),
    ],
    [t('resize.unreachable'), t(quote.backs_up ? 'resize.unreachable_after_backup' : 'resize.unreachable_for', time)],
    [t('resize.address'), t(quote.address_may_change ? 'resize.address_may_change' : 'resize.address_stays')],
    [t('resize.back'), t(quote.way_back ? 'resize.back_open' : 'resize.back_closed', back)],
  ] as const;
  return (
    <dl className="kv">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>{t('resize.until')}</dt>
        <dd>
          <UntilChange until={until} missing={enough ? null : leastTopUp(quote.needed - quote.available)} />
        </dd>
      </div>
    </dl>
  );
}

const partsOf = ({ cpu, memory, disk_gb: disk }: Pick<Size, 'cpu' | 'memory' | 'disk_gb'>, t: T): string =>
  disk === null ? t('resize.size', { cpu, memory }) : t('resize.size_disk', { cpu, memory, disk });

const aDay = ({ daily_cost }: Pick<Size, 'daily_cost'>): string => money(daily_cost, { rounding: 'price' });
