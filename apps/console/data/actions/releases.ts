import type { ReleaseRolloutAnswer } from '@moorage/contracts';
import { action } from '../action';
import { ROLLOUTS } from '../updates';
import { readKey } from '../use-read';

/** Actions of administrators on the versions of packages. */
export const RELEASES = {
  /** Changes whom a version is offered to. */
  decide: action('PUT /admin/releases/{package}/{version}', {
    changes: ['deployments'],
    apply: (client, decided) =>
      client.setQueryData<ReleaseRolloutAnswer[]>(readKey('releases', ROLLOUTS, {}), (shown) =>
        shown?.map((one) => (one.package === decided.package && one.version === decided.version ? decided : one)),
      ),
  }),
} as const;
