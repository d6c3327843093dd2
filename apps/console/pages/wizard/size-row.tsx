import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { InstanceTypeAnswer } from '@moorage/contracts';
import { isOftenSoldOut, type Message, PRICE_LIST, splitTypeName } from '@moorage/domain';
import type { MouseEvent } from 'react';
import { Mark } from '../../parts/order/choice';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { hourlyPrice, money } from '../../ui/money';

interface SizeProps {
  readonly size: InstanceTypeAnswer;
  readonly isChosen: boolean;
  readonly isRecommended: boolean;
  /** Reason why it is too small, or null. */
  readonly unfit: Message | null;
  /** Alternative if it is sold out. */
  readonly nearest: InstanceTypeAnswer | undefined;
  readonly onPick: (name: string) => void;
}

/** Row of one size. The whole row selects it. Sizes that are too small or sold out stay visible with the reason. */
export function SizeRow(props: SizeProps) {
  const t = useText();
  const { size, isChosen, unfit, nearest, onPick } = props;
  const isOff = unfit !== null || !size.available;
  const daily = size.hourly_cost * PRICE_LIST.hoursPerDay;
  const monthly = money(daily * PRICE_LIST.daysPerMonth, { rounding: 'price' });
  const pick = (event: MouseEvent): void => {
    const onLabel = event.target instanceof Element && event.target.closest('label') !== null;
    if (!isOff && !onLabel) onPick(size.name);
  };
  return (
    <TableRow className={isOff ? 'dim' : isChosen ? 'sel' : ''} onClick={pick}>
      <TableCell>
        <label className={`row size ${isOff ? 'no' : isChosen ? 'on' : ''}`}>
          <Mark value={size.name} disabled={isOff} />
          <SizeName {...props} monthly={monthly} />
        </label>
        {size.available || unfit !== null || nearest === undefined ? null : (
          <Button size="small" className="instead" onClick={() => onPick(nearest.name)}>
            {t('wizard.instance.take', { name: splitTypeName(nearest.display_name).name })}
          </Button>
        )}
      </TableCell>
      <TableCell className="num hide-s">{size.cpu}</TableCell>
      <TableCell className="num hide-s">{t('wizard.instance.gb', { memory: size.memory })}</TableCell>
      <TableCell className="num muted hide-s">{hourlyPrice(size.hourly_cost)}</TableCell>
      <TableCell className="num">
        <b>{money(daily, { rounding: 'price' })}</b>
        <span className="only-p muted small"> {t('wizard.a_day')}</span>
      </TableCell>
      <TableCell className="num soft hide-s">{monthly}</TableCell>
    </TableRow>
  );
}

/** Name of a size with everything that speaks for or against it. */
function SizeName({
  size: { display_name: title, cpu, memory, available },
  unfit,
  isRecommended,
  monthly,
}: SizeProps & { monthly: string }) {
  const t = useText();
  const { name, remark } = splitTypeName(title);
  const isOften = isOftenSoldOut({ displayName: title });
  return (
    <span>
      <b>{name}</b>
      {available ? null : <span className="tag brass">{t('wizard.instance.sold_out')}</span>}
      {remark === null || (isOften && !available) ? null : (
        <span className={isOften ? 'tag brass' : 'tag'}>{isOften ? t('wizard.instance.often_sold_out') : remark}</span>
      )}
      {isRecommended ? <span className="tag star">{t('wizard.instance.recommended')}</span> : null}
      {unfit === null ? null : (
        <span className="small unfit">{t('wizard.instance.unfit', { reason: messageText(unfit) })}</span>
      )}
      <span className="only-p b muted small">{t('wizard.instance.size', { cpu, memory, price: monthly })}</span>
    </span>
  );
}
