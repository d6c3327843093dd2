import type { InstanceTypeAnswer } from '@moorage/contracts';
import { type Message, PRICE_LIST, splitTypeName } from '@moorage/domain';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { MouseEvent } from 'react';
import { useInstanceTypes } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { hourlyPrice, money } from '../../ui/money';
import { Choices, Mark } from '../../parts/order/choice';
import { sizesFor, unfitIn } from '../../parts/order/size-fit';
import { OldPrices } from './old-prices-note';
import { Loaded, Problem, StepHeading } from './step-frame';
import { useChosen } from './use-chosen';
import { useWizard } from './use-wizard';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';

export function InstanceStep() {
  const t = useText();
  const { wizard, config, choose } = useWizard();
  const chosen = useChosen();
  const { cloud_provider: cloud, region, package: name, instance_type: type } = wizard.draft;
  const sizes = useInstanceTypes(cloud, region, name);
  const pick = (instance: string): void => choose({ type: 'instance_chosen', instance_type: instance });
  return (
    <>
      <StepHeading title={t('wizard.instance.heading')}>
        {config === null
          ? null
          : t('wizard.instance.intro', {
              region: chosen.region?.display_name ?? region ?? '',
              package: config.display_name,
              cpu: config.requires.cpu,
              memory: config.requires.memory_gb,
            })}
      </StepHeading>
      <OldPrices />
      <Problem path="instance_type" />
      <Loaded query={sizes} failed={t('wizard.failed.sizes')} rows={6}>
        {(list) => {
          const { sorted, recommended } = sizesFor(list, config);
          return (
            <Choices className="card sizes" label={t('wizard.steps.instance')} value={type} onChoose={pick}>
              <Table className="t cards inst">
                <TableHead>
                  <TableRow>
                    <TableCell>{t('wizard.instance.type')}</TableCell>
                    {(['cpu', 'memory', 'hour', 'day', 'month'] as const).map((column) => (
                      <TableCell key={column} className="num">
                        {t(`wizard.instance.${column}`)}
                      </TableCell>
                    ))}
                  </TableRow>
                </TableHead>
                <TableBody>
                  {sorted.map((one) => (
                    <Size
                      key={one.name}
                      size={one}
                      chosen={one.name === type}
                      unfit={unfitIn(one, config)}
                      recommended={one === recommended}
                      nearest={list.find(({ name: other }) => other === one.nearest)}
                      onTake={pick}
                      onPick={() => pick(one.name)}
                    />
                  ))}
                </TableBody>
              </Table>
            </Choices>
          );
        }}
      </Loaded>
      <p className="hint">{t('wizard.instance.note')}</p>
    </>
  );
}

const OFTEN_SOLD_OUT = 'often sold out';

/** Row of one size. The whole row selects it. Sizes that are too small or sold out stay visible with the reason. */
function Size({
  size: { name, display_name: title, cpu, memory, hourly_cost: hourly, available },
  chosen,
  unfit,
  recommended,
  nearest,
  onPick,
  onTake,
}: {
  size: InstanceTypeAnswer;
  chosen: boolean;
  /** Reason why it is too small, or null. */
  unfit: Message | null;
  recommended: boolean;
  /** Alternative if it is sold out. */
  nearest: InstanceTypeAnswer | undefined;
  onPick: () => void;
  onTake: (name: string) => void;
}) {
  const t = useText();
  const { name: plain, remark } = splitTypeName(title);
  const oftenSoldOut = remark === OFTEN_SOLD_OUT;
  const off = unfit !== null || !available;
  const daily = hourly * PRICE_LIST.hoursPerDay;
  const monthly = money(daily * PRICE_LIST.daysPerMonth, { rounding: 'half_up' });
  const pick = (event: MouseEvent): void => {
    const onLabel = event.target instanceof Element && event.target.closest('label') !== null;
    if (!off && !onLabel) onPick();
  };
  return (
    <TableRow className={off ? 'dim' : chosen ? 'sel' : ''} onClick={pick}>
      <TableCell>
        <label className={`row size ${off ? 'no' : chosen ? 'on' : ''}`}>
          <Mark value={name} disabled={off} />
          <span>
            <b>{plain}</b>
            {available ? null : <span className="tag brass">{t('wizard.instance.sold_out')}</span>}
            {remark === null || (oftenSoldOut && !available) ? null : (
              <span className={oftenSoldOut ? 'tag brass' : 'tag'}>
                {oftenSoldOut ? t('wizard.instance.often_sold_out') : remark}
              </span>
            )}
            {recommended ? <span className="tag star">{t('wizard.instance.recommended')}</span> : null}
            {unfit === null ? null : (
              <span className="small unfit">{t('wizard.instance.unfit', { reason: messageText(unfit) })}</span>
            )}
            <span className="only-p b muted small">{t('wizard.instance.size', { cpu, memory, price: monthly })}</span>
          </span>
        </label>
        {available || unfit !== null || nearest === undefined ? null : (
          <Button size="small" className="instead" onClick={() => onTake(nearest.name)}>
            {t('wizard.instance.take', { name: splitTypeName(nearest.display_name).name })}
          </Button>
        )}
      </TableCell>
      <TableCell className="num hide-s">{cpu}</TableCell>
      <TableCell className="num hide-s">{t('wizard.instance.gb', { memory })}</TableCell>
      <TableCell className="num muted hide-s">{hourlyPrice(hourly)}</TableCell>
      <TableCell className="num">
        <b>{money(daily, { rounding: 'half_up' })}</b>
        <span className="only-p muted small"> {t('wizard.a_day')}</span>
      </TableCell>
      <TableCell className="num soft hide-s">{monthly}</TableCell>
    </TableRow>
  );
}
