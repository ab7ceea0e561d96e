"""Events: facts written in the transaction of what they tell of, and delivered to whoever subscribed."""
