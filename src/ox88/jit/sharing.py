def sharing_the_work(): pass
