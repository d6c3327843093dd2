import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { InstanceTypeAnswer } from '@moorage/contracts';
import { sizesFor, unfitIn } from '../../parts/order/size-fit';
import { useText } from '../../texts/console-i18n';
import { SizeRow } from './size-row';
import { useWizard } from './wizard-context';
import './size-table.css';

const COLUMNS = ['cpu', 'memory', 'hour', 'day', 'month'] as const;

/** Sizes of a region, in display order. Each row is a radio button. */
export function SizeTable({
  sizes,
  chosen,
  onPick,
}: {
  sizes: readonly InstanceTypeAnswer[];
  chosen: string | null;
  onPick: (name: string) => void;
}) {
  const t = useText();
  const { config } = useWizard();
  const { sorted, recommended } = sizesFor(sizes, config);
  return (
    <Table className="t cards inst">
      <TableHead>
        <TableRow>
          <TableCell>{t('wizard.instance.type')}</TableCell>
          {COLUMNS.map((column) => (
            <TableCell key={column} className="num">
              {t(`wizard.instance.${column}`)}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {sorted.map((size) => (
          <SizeRow
            key={size.name}
            size={size}
            isChosen={size.name === chosen}
            unfit={unfitIn(size, config)}
            isRecommended={size === recommended}
            nearest={sizes.find(({ name }) => name === size.nearest)}
            onPick={onPick}
          />
        ))}
      </TableBody>
    </Table>
  );
}
