"""The pages of rooms. Reading is one view and one template; every action is a form that leads back to its page."""
