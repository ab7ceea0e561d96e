"""What answers at the addresses of the API. `base.ApiView` is what every endpoint is made of."""
