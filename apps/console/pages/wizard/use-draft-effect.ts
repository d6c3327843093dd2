import { useOrderEffect } from '../../data/billing';
import { useWizard } from './wizard-context';

/**
 * Loads how long the balance would last with this draft at an hourly price. It stays the same from the click on Create,
 * because the forecast then contains the new deployment and would count it twice.
 */
export function useDraftEffect(hourly: number | null) {
  const { isOrdering } = useWizard();
  return useOrderEffect(hourly, { enabled: !isOrdering });
}
