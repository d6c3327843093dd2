import { Info } from 'lucide-react';
import type { PlaceField } from '../../parts/order/price-question';
import { useText } from '../../texts/console-i18n';
import { useWizard } from './wizard-context';

const FIELD_STEPS = { cloud_provider: 'cloud', region: 'region', instance_type: 'instance' } as const;

/** Lists the fields that another choice would clear, or that the last choice cleared. */
export function ClearsNote({ fields }: { fields: readonly PlaceField[] }) {
  const t = useText();
  const {
    cleared,
    wizard: { draft },
  } = useWizard();
  const names = (list: readonly PlaceField[]): string =>
    list.map((field) => t(`wizard.steps.${FIELD_STEPS[field]}`)).join(', ');
  const atStake = fields.filter((field) => draft[field] !== null);
  return (
    <div role="status" className="clears">
      {cleared.length > 0 ? (
        <p className="note brass">
          <Info size={16} aria-hidden="true" />
          <span>{t('wizard.cleared', { names: names(cleared) })}</span>
        </p>
      ) : atStake.length > 0 ? (
        <p className="small muted">{t('wizard.clears', { names: names(atStake) })}</p>
      ) : null}
    </div>
  );
}
