import { CONSTANTS } from '@moorage/domain';
import { z } from 'zod';
import { idParams, user } from './account-fields';
import type { Call } from './call';
import { deployment, deploymentList } from './deployments';
import { listCursor, queryNumber, shortText } from './fields';
import { balance } from './wallet';

/** An account as administrators see it in the list; `balance` is the regular balance. */
export const adminUser = user
  .extend({
    deactivated_at: z.iso.datetime().nullable(),
    /** Regular balance and all credits that have not expired. */
    total_balance: z.number(),
    /** Deployments that run or are being created. */
    active_deployments: z.int(),
    /** The money lasts for at most so many days (the warning that was sent last); null: longer, or nothing runs. */
    low_balance_days: z.literal([1, 3, 7]).nullable(),
  })
  .meta({ id: 'AdminUser' });
export type AdminUserAnswer = z.infer<typeof adminUser>;

export const adminUserDetails = adminUser.extend({ balances: balance }).meta({ id: 'AdminUserDetails' });
export type AdminUserDetailsAnswer = z.infer<typeof adminUserDetails>;

export const USER_SORTS = ['id', 'username', 'email', 'created_at', 'balance'] as const;
export type UserSort = (typeof USER_SORTS)[number];

export const adminUserList = z.object({
  /** Part of a username or email address, or an id. */
  search: shortText(CONSTANTS.searchLengthMax).optional(),
  /** Exactly this username or email address, in any letters. */
  name: shortText(254).optional(),
  show_deactivated: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  page: queryNumber(1, CONSTANTS.pagedRowsMax).optional(),
  per_page: queryNumber(1, CONSTANTS.pageSizeMax)
    .pipe(z.literal([...CONSTANTS.usersPageSizes]))
    .optional(),
  sort_by: z.enum(USER_SORTS).default('id'),
  sort_order: z.enum(['asc', 'desc']).default('asc'),
  cursor: listCursor.optional(),
});
export type AdminUserList = z.infer<typeof adminUserList>;

export const ADMIN_USERS_CALLS = {
  list: {
    method: 'GET',
    path: '/users',
    summary: 'The accounts; X-Total-Count counts them, Link leads on. Deactivated ones only when asked for',
    access: 'admin',
    query: adminUserList,
    status: 200,
    answer: z.array(adminUser),
    errors: ['FIELDS_INVALID'],
  },
  get: {
    method: 'GET',
    path: '/users/{id}',
    summary: 'One account with all its balances',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: adminUserDetails,
    errors: ['NOT_FOUND'],
  },
  deployments: {
    method: 'GET',
    path: '/users/{id}/deployments',
    summary: 'The deployments of one account',
    access: 'admin',
    params: idParams,
    query: deploymentList,
    status: 200,
    answer: z.array(deployment),
    errors: ['NOT_FOUND', 'FIELDS_INVALID'],
  },
} as const satisfies Record<string, Call>;
