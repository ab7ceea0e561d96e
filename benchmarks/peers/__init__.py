"""Other rating libraries, in an environment of their own: nothing of Evenmatch is imported beside them."""
