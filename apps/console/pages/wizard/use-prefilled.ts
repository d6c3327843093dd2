import { checkContactEmail, lacksPlace } from '@moorage/domain';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSuggestedPlace } from '../../data/catalogue';
import { useNames } from '../../data/names';
import { useSession } from '../../data/session';
import { useWizard } from './wizard-context';

export interface Prefilled {
  /** The suggested place is still loading. */
  readonly isSearching: boolean;
  /** No place is available. */
  readonly isNowhere: boolean;
  /** Error of the request for a place, or null. */
  readonly failure: Error | null;
  readonly tryAgain: () => void;
  /** The chosen server is the suggested one, and it is near the visitor. */
  readonly isSuggested: boolean;
}

/** Fills in whatever an express order does not ask, as soon as it is known. */
export function usePrefilled(): Prefilled {
  const { wizard, config, choose } = useWizard();
  const { draft, step } = wizard;
  const lacks = lacksPlace(draft);
  // An order that already had a place when the page opened needs no suggestion.
  const [asks] = useState(lacks);
  const suggestion = useSuggestedPlace(asks && draft.server_type !== 'vps' ? draft.package : null);
  const place = suggestion.data?.place ?? null;
  const own = useSession()?.user?.email ?? '';
  const names = useNames();
  const email = own === '' || checkContactEmail(own, names) !== null ? null : own;

  const fill = useEffectEvent(() => {
    if (config?.name === draft.package && config !== null) choose({ type: 'prefilled', config, place, email });
  });
  useEffect(() => {
    if (step !== 'review' || (lacks && place !== null)) fill();
  }, [config, step, lacks, place]);

  return {
    isSearching: lacks && suggestion.isPending && draft.package !== null,
    isNowhere: lacks && suggestion.isSuccess && place === null,
    failure: lacks ? suggestion.error : null,
    tryAgain: () => void suggestion.refetch(),
    isSuggested:
      place?.near === true &&
      place.cloud_provider === draft.cloud_provider &&
      place.region === draft.region &&
      place.instance_type === draft.instance_type,
  };
}
