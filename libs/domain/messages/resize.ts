import { messageTable } from './message';

/** Reasons why a server can't get another size. */
export const RESIZE_MESSAGES = messageTable('resize', {
  own_server: "We can't change the size of your own server. Change it at your provider.",
  same_size: 'The server already has this size.',
  sold_out: '%{size} is sold out in this region. Choose another size.',
  only_larger: '%{provider} can only enlarge a server in place. Move the deployment to a smaller server instead.',
  smaller_disk:
    "The server's disk has %{disk} GB and can't be reduced to the %{size_disk} GB of %{size}. Move the deployment to a new server instead.",
  other_architecture:
    '%{size} has another processor architecture. Move the deployment to a new server of this size instead.',
});
